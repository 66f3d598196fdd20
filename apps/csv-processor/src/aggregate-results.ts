import { auditTaskErrors } from '@stepwright/audit-log/tasks'
import {
  createOutcomeCounter,
  type ErrorGroup,
  type ReportedRow,
  toRejectedCsv,
} from '@stepwright/batch-writer'
import { toEntries } from '@stepwright/batch-writer/tasks'
import { formatCsv, type Row, rearmFormula } from '@stepwright/csv-chunker'
import { csvFileSchema } from '@stepwright/csv-chunker/tasks'
import { DatabaseConnectionError, DataValidationError } from '@stepwright/errors'
import { mapResultsSchema, objectStoreTaskErrors, readMapResults } from '@stepwright/object-store/tasks'
import { defineTask, type TaskContext } from '@stepwright/task'
import * as z from 'zod/mini'
import { type DoubtfulChild, readChildren } from './map-children.ts'
import { upload } from './object-created.ts'
import { type LogOutcome, notReflected, outcomesOfChunks, reportChunks } from './outcomes.ts'
import type { CsvProcessorPorts } from './ports.ts'
import { publish } from './publish-upload.ts'
import { isExceeded, ToleranceExceededError, tolerance } from './tolerance.ts'
import { reasonColumn } from './user-activity.ts'

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
    const counter = createOutcomeCounter(cleanRows)
    if (doubtful.length > 0) {
      const csv = toRejectedCsv(report(doubtful, ports, context), {
        file,
        reasonColumn,
        format: formatCsv,
        restore: rearmFormula,
        onRow: counter.count,
      })
      await store.upload(`${folder}rejected.csv`, csv, { contentType: 'text/csv; charset=utf-8', signal })
    }
    const { successCount, errorCount, ...found } = counter.counts()
    const errors = toErrors(found.errors)
    refuseMissing(successCount + errorCount, totalRecords)
    const failed = doubtful.filter(({ failure }) => failure !== undefined)
    await ports.audit.appendMissing(toEntriesOf(executionId, outcomesOf(failed, ports, context), now()))

    const rejectedKey = errorCount === 0 ? null : `${folder}rejected.csv`
    const outputKey = `${folder}summary.json`
    const processingTimeSeconds = (now() - Date.parse(given.startTime)) / 1000
    const counts = { totalRecords, successCount, errorCount, processingTimeSeconds }
    const exceeds = isExceeded(errorCount, totalRecords, given.tolerance)
    const status = exceeds ? 'FAILED' : 'SUCCESS'
    const summary = { status, executionId, ...counts, tolerance: given.tolerance, errors, rejectedKey }
    await store.put(outputKey, `${JSON.stringify(summary, undefined, 2)}\n`, {
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

async function* report(
  children: readonly DoubtfulChild[],
  ports: CsvProcessorPorts,
  context: TaskContext,
): AsyncGenerator<ReportedRow<Row>> {
  for (const { batch, failure = notReflected } of children) {
    yield* reportChunks(toEntries(batch), failure, ports, context)
  }
}

/** The summary calls a row an item, as the trail does. */
function toErrors(groups: Readonly<Record<string, ErrorGroup>>) {
  const entries = Object.entries(groups).map(([name, { count: all, samples: first }]) => {
    const named = first.map(({ rowNumber: itemIndex, reason }) => ({ itemIndex, reason }))
    return [name, { count: all, samples: named }] as const
  })
  return Object.fromEntries(entries)
}

async function* toEntriesOf(executionId: string, outcomes: AsyncIterable<LogOutcome>, nowMs: number) {
  const timestamp = new Date(nowMs).toISOString()
  for await (const outcome of outcomes) yield { ...outcome, executionId, timestamp }
}
