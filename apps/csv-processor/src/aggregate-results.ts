import { auditTaskErrors } from '@stepwright/audit-log/tasks'
import { toEntries } from '@stepwright/batch-writer/tasks'
import { csvFileSchema } from '@stepwright/csv-chunker/tasks'
import { DatabaseConnectionError, DataValidationError } from '@stepwright/errors'
import { mapResultsSchema, objectStoreTaskErrors, readMapResults } from '@stepwright/object-store/tasks'
import { defineTask, type TaskContext } from '@stepwright/task'
import * as z from 'zod/mini'
import { type DoubtfulChild, readChildren } from './map-children.ts'
import { upload } from './object-created.ts'
import { type LogOutcome, notReflected, outcomesOfChunks } from './outcomes.ts'
import type { CsvProcessorPorts } from './ports.ts'
import { publish } from './publish-upload.ts'
import { type OutcomeCounts, toRejectedCsv } from './rejected-rows.ts'
import { isExceeded, ToleranceExceededError, tolerance } from './tolerance.ts'

const count = z.int().check(z.nonnegative())

const input = z.object({
  executionId: z.string().check(z.minLength(1)),
  mapResults: mapResultsSchema,
  validation: z.looseObject({ rowCount: count, jobId: z.string(), file: csvFileSchema }),
  /** Only of executions that began before PublishUpload was a state of its own. */
  upload: z.optional(upload),
  s3Output: z.object({ bucket: z.string(), keyPrefix: z.string() }),
  startTime: z.iso.datetime({ offset: true }),
  tolerance,
})

const samples = z.array(z.object({ itemIndex: count, reason: z.string() }))

const output = z.object({
  successCount: count,
  errorCount: count,
  processingTimeSeconds: z.number(),
  outputBucket: z.string(),
  outputKey: z.string(),
  summary: z.object({
    totalRecords: count,
    /** By the name of the error, with the first samples. */
    errors: z.record(z.string(), z.object({ count, samples })),
    /** The rows that were not reflected, to be corrected and uploaded again; null if there are none. */
    rejectedKey: z.nullable(z.string()),
  }),
})

/** RESULT_AGGREGATION: what became of all rows, from the children's results in S3 and the ledger. */
export const aggregateResults = defineTask({
  name: 'aggregate-results',
  idempotent: true,
  input,
  output,
  errors: [ToleranceExceededError, DatabaseConnectionError, ...auditTaskErrors, ...objectStoreTaskErrors],
  async run({ executionId, mapResults, validation, s3Output, ...given }, ports: CsvProcessorPorts, context) {
    const { signal, now, metrics } = context
    const { bucket, keyPrefix } = s3Output
    const { Bucket, Key } = mapResults.ResultWriterDetails
    const { rowCount: totalRecords, file } = validation
    const store = ports.storeOf(bucket)
    const folder = `${keyPrefix}${executionId}/`

    const results = readMapResults(ports.storeOf(Bucket), Key, { signal })
    const { cleanRows, doubtful } = await readChildren(results)
    const found: OutcomeCounts = { successCount: cleanRows, errorCount: 0, errors: {} }
    if (doubtful.length > 0) {
      const csv = toRejectedCsv(file, outcomesOf(doubtful, ports, context), found)
      await store.upload(`${folder}rejected.csv`, csv, { contentType: 'text/csv; charset=utf-8', signal })
    }
    const { successCount, errorCount, errors } = found
    refuseMissing(successCount + errorCount, totalRecords)
    const failed = doubtful.filter(({ failure }) => failure !== undefined)
    await ports.audit.appendMissing(toEntriesOf(executionId, outcomesOf(failed, ports, context), now()))

    const rejectedKey = errorCount === 0 ? null : `${folder}rejected.csv`
    const outputKey = `${folder}summary.json`
    const processingTimeSeconds = (now() - Date.parse(given.startTime)) / 1000
    const counts = { totalRecords, successCount, errorCount, processingTimeSeconds }
    const exceeds = isExceeded(errorCount, totalRecords, given.tolerance)
    const status = exceeds ? 'FAILED' : 'SUCCESS'
    const report = { status, executionId, ...counts, tolerance: given.tolerance, errors, rejectedKey }
    await store.put(outputKey, `${JSON.stringify(report, undefined, 2)}\n`, {
      contentType: 'application/json',
      signal,
    })
    metrics.add('UserRecordsProcessed', totalRecords)
    metrics.add('ProcessingErrors', errorCount)
    if (exceeds) {
      const { toleratedFailurePercentage, toleratedFailureCount } = given.tolerance
      throw new ToleranceExceededError(
        `${errorCount} of ${totalRecords} rows failed; tolerated are ${toleratedFailurePercentage} % and ${toleratedFailureCount}`,
        { details: { ...counts, outputBucket: bucket, outputKey, rejectedKey } },
      )
    }
    if (given.upload !== undefined) await publish(validation, given.upload, ports, context)
    return {
      successCount,
      errorCount,
      processingTimeSeconds,
      outputBucket: bucket,
      outputKey,
      summary: { totalRecords, errors, rejectedKey },
    }
  },
})

function refuseMissing(accounted: number, totalRecords: number): void {
  if (accounted === totalRecords) return
  throw new DataValidationError(
    `the file has ${totalRecords} rows, but the Map's results account for ${accounted}`,
    { code: 'ROWS_MISSING' },
  )
}

async function* outcomesOf(
  children: readonly DoubtfulChild[],
  ports: CsvProcessorPorts,
  context: TaskContext,
): AsyncGenerator<LogOutcome> {
  for (const { batch, failure = notReflected } of children) {
    yield* outcomesOfChunks(toEntries(batch), failure, ports, context)
  }
}

async function* toEntriesOf(executionId: string, outcomes: AsyncIterable<LogOutcome>, nowMs: number) {
  const timestamp = new Date(nowMs).toISOString()
  for await (const outcome of outcomes) yield { ...outcome, executionId, timestamp }
}
