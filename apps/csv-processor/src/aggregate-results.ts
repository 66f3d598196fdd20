import { AuditVerificationError } from '@stepwright/audit-log'
import { DataValidationError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { chunkName } from './chunk-ledger.ts'
import { completeTrail } from './complete-trail.ts'
import { csvSource, rowsOf } from './csv-batch.ts'
import { createErrorTally } from './error-tally.ts'
import { type ChildResult, mapResults, readMapResults } from './map-results.ts'
import type { CsvProcessorPorts } from './ports.ts'
import { toRejectedCsv } from './rejected-csv.ts'
import { notReflected, type RowOutcome, rowOutcomes } from './row-outcomes.ts'
import { databaseErrors, storageErrors, ToleranceExceededError } from './task-errors.ts'

const count = z.int().check(z.nonnegative())

const input = z.object({
  executionId: z.string().check(z.minLength(1)),
  mapResults,
  validation: z.looseObject({ rowCount: count, jobId: z.string(), file: csvSource }),
  s3Output: z.object({ bucket: z.string(), keyPrefix: z.string() }),
  startTime: z.iso.datetime({ offset: true }),
  tolerance: z.object({ toleratedFailurePercentage: z.number(), toleratedFailureCount: z.number() }),
})

const summary = z.object({
  totalRecords: count,
  /** By the name of the error, with the first samples. */
  errors: z.record(
    z.string(),
    z.object({
      count,
      samples: z.array(z.object({ itemIndex: count, reason: z.string() })),
    }),
  ),
  /** The rows that were not reflected, to be corrected and uploaded again; null if there are none. */
  rejectedKey: z.nullable(z.string()),
  /** Of the sealed trail. Kept here, it proves that the seal is the one that was made. */
  audit: z.object({ entries: count, mac: z.string() }),
})

const output = z.object({
  successCount: count,
  errorCount: count,
  processingTimeSeconds: z.number(),
  outputBucket: z.string(),
  outputKey: z.string(),
  summary,
})

/** RESULT_AGGREGATION: what became of all rows, from the children's results in S3 and the ledger. */
export const aggregateResults = /* @__PURE__ */ defineTask({
  name: 'aggregate-results',
  input,
  output,
  errors: [
    ToleranceExceededError,
    DataValidationError,
    AuditVerificationError,
    ...databaseErrors,
    ...storageErrors,
  ],
  async run(
    { executionId, mapResults: results, validation, s3Output, startTime, tolerance },
    ports: CsvProcessorPorts,
    context,
  ) {
    const { signal, now, metrics } = context
    const { bucket, keyPrefix } = s3Output
    const { Bucket, Key } = results.ResultWriterDetails
    const store = ports.storeOf(bucket)
    const folder = `${keyPrefix}${executionId}/`

    const { cleanRows, unclean } = await readChildren(readMapResults(ports.storeOf(Bucket), Key, signal))
    const tally = createErrorTally()
    if (unclean.length > 0) {
      const outcomes = counted(outcomesOf(unclean, ports, context), tally.add)
      const csv = toRejectedCsv(validation.file, outcomes)
      await store.upload(`${folder}rejected.csv`, csv, { contentType: 'text/csv; charset=utf-8', signal })
    }
    const { errorCount, errors, successCount: doubtful } = tally.result()
    const successCount = cleanRows + doubtful
    const totalRecords = validation.rowCount
    refuseMissing(successCount + errorCount, totalRecords)
    const failed = unclean.flatMap(({ batch, failure }) => (failure ? [{ batch, failure }] : []))
    if (failed.length > 0) {
      await completeTrail(executionId, failed, new Date(now()).toISOString(), ports, context)
    }

    const rejectedKey = errorCount === 0 ? null : `${folder}rejected.csv`
    const outputKey = `${folder}summary.json`
    const processingTimeSeconds = (now() - Date.parse(startTime)) / 1000
    const counts = { totalRecords, successCount, errorCount, processingTimeSeconds }
    const exceeds = isExceeded(errorCount, totalRecords, tolerance)
    // A failed execution's trail is sealed when its failure is in it, too.
    const items = { first: 1, count: totalRecords }
    const seal = exceeds ? undefined : await ports.audit.seal(executionId, { items })
    const audit = { entries: seal?.entries ?? 0, mac: seal?.mac ?? '' }
    const status = exceeds ? 'FAILED' : 'SUCCESS'
    const report = { status, executionId, ...counts, tolerance, errors, rejectedKey, ...(seal && { audit }) }
    await store.put(outputKey, `${JSON.stringify(report, undefined, 2)}\n`, {
      contentType: 'application/json',
      signal,
    })
    metrics.add('UserRecordsProcessed', totalRecords)
    metrics.add('ProcessingErrors', errorCount)
    if (exceeds) {
      throw new ToleranceExceededError(
        `${errorCount} of ${totalRecords} rows failed; tolerated are ${tolerance.toleratedFailurePercentage} % and ${tolerance.toleratedFailureCount}`,
        { details: { ...counts, outputBucket: bucket, outputKey, rejectedKey } },
      )
    }
    return {
      successCount,
      errorCount,
      processingTimeSeconds,
      outputBucket: bucket,
      outputKey,
      summary: { totalRecords, errors, rejectedKey, audit },
    }
  },
})

/** Clean batches are only counted; the others are looked at row by row, in the order of the file. */
async function readChildren(
  children: AsyncIterable<ChildResult>,
): Promise<{ readonly cleanRows: number; readonly unclean: readonly ChildResult[] }> {
  let cleanRows = 0
  const unclean: ChildResult[] = []
  for await (const child of children) {
    if (child.isClean) cleanRows += rowsOf(child.batch)
    else unclean.push(child)
  }
  return { cleanRows, unclean: unclean.sort((a, b) => firstRow(a) - firstRow(b)) }
}

function refuseMissing(accounted: number, totalRecords: number): void {
  if (accounted === totalRecords) return
  throw new DataValidationError(
    `the file has ${totalRecords} rows, but the Map's results account for ${accounted}`,
    { code: 'ROWS_MISSING' },
  )
}

function firstRow({ batch }: ChildResult): number {
  return batch.Items[0]?.firstRow ?? 0
}

async function* outcomesOf(
  children: readonly ChildResult[],
  ports: CsvProcessorPorts,
  context: Parameters<CsvProcessorPorts['ledger']['find']>[2],
): AsyncGenerator<RowOutcome> {
  for (const { batch, failure = notReflected } of children) {
    for (const chunk of batch.Items) {
      const record = await ports.ledger.find(batch.BatchInput.jobId, chunkName(chunk.index), context)
      yield* rowOutcomes(batch, chunk, { record, failure }, ports, context.signal)
    }
  }
}

async function* counted<Item>(items: AsyncIterable<Item>, count: (item: Item) => void): AsyncGenerator<Item> {
  for await (const item of items) {
    count(item)
    yield item
  }
}

/** Either limit is one too many. */
function isExceeded(
  errorCount: number,
  totalRecords: number,
  tolerance: { readonly toleratedFailurePercentage: number; readonly toleratedFailureCount: number },
): boolean {
  const { toleratedFailurePercentage, toleratedFailureCount } = tolerance
  return errorCount > toleratedFailureCount || errorCount * 100 > toleratedFailurePercentage * totalRecords
}
