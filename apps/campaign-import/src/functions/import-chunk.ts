import { lambda } from '@stepwright/app/functions'
import { chunks } from '@stepwright/csv-chunker/bindings'
import { objects, storeOf } from '@stepwright/object-store/bindings'
import { writer } from '../bindings.ts'
import { importRecipients } from '../import-recipients.ts'
import { files } from '../resources.ts'

const store = objects(files, 'read uploads/*', 'read chunks/*')
const readChunk = chunks(storeOf(store), { fileError: 'CSVValidationError' })
export const ImportChunk = lambda(importRecipients, { writer, readChunk }, { timeoutSeconds: 280 })
