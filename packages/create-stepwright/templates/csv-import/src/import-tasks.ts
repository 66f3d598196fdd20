import { batchWriterTaskErrors, summarizeLedger, writeChunk } from '@stepwright/batch-writer/tasks'
import { chunkSchema, csvFileSchema, csvTaskErrors, splitCsv } from '@stepwright/csv-chunker/tasks'
import { executionName } from '@stepwright/idempotency'
import { startExecution } from '@stepwright/idempotency/tasks'
import * as z from 'zod/mini'
import { toContact } from './contact.ts'

/** What EventBridge says of an object that was put into the bucket. */
export const objectCreated = z.looseObject({
  detail: z.looseObject({
    bucket: z.looseObject({ name: z.string() }),
    object: z.looseObject({ key: z.string(), etag: z.string() }),
  }),
})

/** What the state machine is started with. */
export const importInput = z.object({ jobId: z.string(), key: z.string(), etag: z.string() })

/** One import for each version of each object, however often it is announced. */
export const startImport = startExecution({
  name: 'start-import',
  event: objectCreated,
  executionName,
  executionInput: event => ({
    jobId: executionName(event),
    key: event.detail.object.key,
    etag: event.detail.object.etag,
  }),
})

/** Cuts the file into byte ranges of whole rows. */
export const splitContacts = splitCsv({
  columns: { email: {}, name: { optional: true } },
  rowsPerChunk: 5000,
  maxChunks: 1500, // as many as fit into a state's payload: 7,500,000 rows
})

/** Writes the rows of one range, once, however often it is called. */
export const writeContacts = writeChunk({
  name: 'write-contacts',
  input: z.object({ jobId: z.string(), file: csvFileSchema, chunk: chunkSchema }),
  toRow: () => toContact,
  errors: [...batchWriterTaskErrors, ...csvTaskErrors],
})

export const summarizeImport = summarizeLedger()
