import { lambda } from '@stepwright/app/functions'
import { chunks } from '@stepwright/csv-chunker/bindings'
import { objects, storeOf } from '@stepwright/object-store/bindings'
import { writer } from '../bindings.ts'
import { importRecipients } from '../import-recipients.ts'
import { files } from '../resources.ts'

const store = objects(files, 'read uploads/*', 'read chunks/*')
const readChunk = chunks(storeOf(store), { fileError: 'CSVValidationError' })
/** Little data lives long, however large the file: a heap that grows lazily would only fill the machine. */
const variables = { NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=300' }
export const ImportChunk = lambda(importRecipients, { writer, readChunk }, { timeoutSeconds: 280, variables })
