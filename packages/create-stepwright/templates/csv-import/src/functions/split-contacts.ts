import { lambda } from '@stepwright/app/functions'
import { splitCsv } from '@stepwright/csv-chunker/tasks'
import { objects, storeOf } from '@stepwright/object-store/bindings'
import { files } from '../resources.ts'

/** Cuts the file into byte ranges of whole rows. */
const splitContacts = splitCsv({
  columns: { email: {}, name: { optional: true } },
  rowsPerChunk: 5000,
  maxChunks: 1500, // as many as fit into a state's payload: 7,500,000 rows
})

const store = objects(files, 'read', 'write chunks/*')
export const SplitContacts = lambda(splitContacts, { storeOf: storeOf(store) }, { timeoutSeconds: 280 })
