import { recordOutcomes } from '@stepwright/audit-log/tasks'
import { batchWriterTaskErrors, toEntries, writeChunk } from '@stepwright/batch-writer/tasks'
import { csvTaskErrors, validateCsv } from '@stepwright/csv-chunker/tasks'
import { BusinessError, DatabaseConnectionError, NotFoundError } from '@stepwright/errors'
import { objectStoreTaskErrors } from '@stepwright/object-store/tasks'
import { objectCreatedEvent } from '@stepwright/task/object-created'
import { routeTasks } from '@stepwright/task/router'
import * as z from 'zod/mini'
import { aggregateResults } from './aggregate-results.ts'
import { csvBatch } from './csv-batch.ts'
import { handleFailure } from './handle-failure.ts'
import { toCsvVersion } from './object-created.ts'
import { publishUpload } from './publish-upload.ts'
import { toRowsPerChunk } from './rows-per-chunk.ts'
import { createRecordParser, logColumns } from './user-activity.ts'

const count = z.int().check(z.nonnegative())

/** Checks the file's form and writes down, once for each upload, how it is cut into byte ranges. */
const validateCsvFile = validateCsv({
  input: z.object({ event: objectCreatedEvent, rowsPerChunk: z._default(z.int().check(z.positive()), 250) }),
  target: ({ event, rowsPerChunk }) => ({
    ...toCsvVersion(event),
    rowsPerChunk: toRowsPerChunk(event.detail.object.size, rowsPerChunk),
  }),
  columns: logColumns,
  otherColumns: 'refuse',
  requireRows: true,
  formulas: 'ignore',
  split: {},
})

/** Reflects the rows of a batch in the database, each once, however often it is called. */
const processUserRecords = writeChunk({
  name: 'process-user-records',
  input: z.object({ userRecord: csvBatch }),
  entries: ({ userRecord }) => toEntries(userRecord),
  toRow: createRecordParser,
  // An execution of another name is the same job.
  identity: ({ file: { bucket, key, source }, chunk }) => ({ bucket, key, source, chunk }),
  errors: [BusinessError, NotFoundError, ...batchWriterTaskErrors, ...csvTaskErrors],
  output: z.object({ rowCount: count, successCount: count, errorCount: count, recordedChunks: count }),
  report: ({ counts: { received, rejected }, recordedChunks }) => ({
    rowCount: received,
    successCount: received - rejected,
    errorCount: rejected,
    recordedChunks,
  }),
})

/** The tasks of the Lambda, by `eventType`. */
export const routes = {
  CSV_VALIDATION: validateCsvFile,
  CSV_CHUNK_PROCESSING: processUserRecords,
  AUDIT_LOGGING: recordOutcomes({
    batch: csvBatch,
    errors: [DatabaseConnectionError, ...objectStoreTaskErrors],
  }),
  RESULT_AGGREGATION: aggregateResults,
  UPLOAD_PUBLISHING: publishUpload,
  ERROR_HANDLING: handleFailure,
}

/** The Lambda that the state machine calls. Each task ends before the state that waits for it gives up. */
export const csvProcessor = routeTasks({
  name: 'csv-processor',
  field: 'eventType',
  routes,
  maxSeconds: {
    CSV_VALIDATION: 295,
    CSV_CHUNK_PROCESSING: 28,
    AUDIT_LOGGING: 9,
    RESULT_AGGREGATION: 115,
    UPLOAD_PUBLISHING: 43,
    ERROR_HANDLING: 38,
  },
})
