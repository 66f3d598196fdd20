import { lambda } from '@stepwright/app/functions'
import { rowWriter } from '@stepwright/batch-writer/bindings'
import { batchWriterTaskErrors, writeChunk } from '@stepwright/batch-writer/tasks'
import { chunks } from '@stepwright/csv-chunker/bindings'
import { chunkSchema, csvFileSchema, csvTaskErrors } from '@stepwright/csv-chunker/tasks'
import { objects, storeOf } from '@stepwright/object-store/bindings'
import { postgres } from '@stepwright/postgres/bindings'
import * as z from 'zod/mini'
import { type Contact, contactTable, toContact } from '../contact.ts'
import { db, files } from '../resources.ts'

/** Writes the rows of one range exactly once, even if it is called twice. */
const writeContacts = writeChunk({
  name: 'write-contacts',
  input: z.object({ jobId: z.string(), file: csvFileSchema, chunk: chunkSchema }),
  toRow: () => toContact,
  errors: [...batchWriterTaskErrors, ...csvTaskErrors],
})

const writer = rowWriter<Contact>(postgres(db), contactTable)
const readChunk = chunks(storeOf(objects(files, 'read')))
export const WriteContacts = lambda(writeContacts, { writer, readChunk }, { timeoutSeconds: 280 })
