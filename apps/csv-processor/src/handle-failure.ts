import { auditTaskErrors } from '@stepwright/audit-log/tasks'
import { csvFileSchema, readManifest } from '@stepwright/csv-chunker/tasks'
import { type ParsedCause, parseCause, toTaskError } from '@stepwright/errors'
import { objectStoreTaskErrors } from '@stepwright/object-store/tasks'
import { defineTask, type TaskContext } from '@stepwright/task'
import * as z from 'zod/mini'
import { caughtError, outcomesOfChunks, type RowFailure, tolerantLedger } from './outcomes.ts'
import type { CsvProcessorPorts } from './ports.ts'
import { ToleranceExceededError } from './tolerance.ts'

const input = z.object({
  errorType: z.enum(['VALIDATION_FAILURE', 'MAP_PROCESSING_FAILURE', 'SYSTEM_FAILURE']),
  executionId: z.string().check(z.minLength(1)),
  startTime: z.iso.datetime({ offset: true }),
  s3: z.looseObject({ bucket: z.string(), key: z.string() }),
  validation: z.optional(
    z.looseObject({
      jobId: z.string(),
      manifest: z.object({ bucket: z.string(), key: z.string() }),
      file: csvFileSchema,
    }),
  ),
  error: caughtError,
  timestamp: z.iso.datetime({ offset: true }),
  s3Output: z.object({ bucket: z.string(), keyPrefix: z.string() }),
})

type FailureInput = z.output<typeof input>

/** The entry of the execution itself: rows are counted from 1. */
const executionItem = 0

const notProcessed: RowFailure = {
  logType: 'SYSTEM_ERROR',
  error: { Error: 'NotProcessed', Cause: 'the Map ended before the row was processed' },
}

/** How much of the time rows may take: the seal and the report come in any case. */
const shareForRows = 0.6

/** ERROR_HANDLING: leaves a record of a failed execution, in the trail and as a file, before it ends in Fail. */
export const handleFailure = /* @__PURE__ */ defineTask({
  name: 'handle-failure',
  input,
  output: z.object({ outputBucket: z.string(), outputKey: z.string() }),
  errors: [...auditTaskErrors, ...objectStoreTaskErrors],
  async run(failure, ports: CsvProcessorPorts, context) {
    const { executionId, errorType, startTime, timestamp, s3, s3Output } = failure
    const error = describe(parseCause(failure.error))
    context.logger.error('execution failed', { executionId, errorType, error: failure.error.Error })
    const logType = isBusiness(failure) ? 'BUSINESS_ERROR' : 'SYSTEM_ERROR'
    const outputKey = `${s3Output.keyPrefix}${executionId}/failure.json`
    let isEveryRowRecorded = false
    try {
      const entry = { executionId, itemIndex: executionItem, logType, timestamp } as const
      await ports.audit.append({ ...entry, error: { ...error, errorType } })
      isEveryRowRecorded = await recordRows(failure, ports, context)
      await ports.audit.seal(executionId)
    } finally {
      const report = { status: 'FAILED', errorType, executionId, startTime, endTime: timestamp, input: s3 }
      const body = { ...report, error, isEveryRowRecorded }
      await ports.storeOf(s3Output.bucket).put(outputKey, `${JSON.stringify(body, undefined, 2)}\n`, {
        contentType: 'application/json',
        signal: context.signal,
      })
    }
    return { outputBucket: s3Output.bucket, outputKey }
  },
})

/** Bad files and too many bad rows are the sender's; all else is ours. */
function isBusiness({ errorType, error }: FailureInput): boolean {
  return errorType === 'VALIDATION_FAILURE' || error.Error === ToleranceExceededError.errorName
}

function describe({ name, message, code, details }: ParsedCause): object {
  return { Error: name, Cause: message, ...(code && { code }), ...(details && { details }) }
}

/** Rows that have no entry, as the Map did not get to them, get one, as far as that is possible now. */
async function recordRows(
  { executionId, validation, timestamp }: FailureInput,
  { storeOf, ledger, readChunk, audit }: CsvProcessorPorts,
  context: TaskContext,
): Promise<boolean> {
  if (validation === undefined) return true
  const { jobId, manifest: place, file } = validation
  const signal = untilShare(context)
  const limits = { ...context, signal }
  async function* missing() {
    const manifest = await readManifest(storeOf(place.bucket), place.key, signal)
    const entries = (manifest?.chunks ?? []).map(chunk => ({ jobId, file, chunk }))
    const readers = { ledger: tolerantLedger(ledger), readChunk }
    for await (const outcome of outcomesOfChunks(entries, notProcessed, readers, limits)) {
      signal.throwIfAborted()
      yield { ...outcome, executionId, timestamp }
    }
  }
  try {
    await Promise.race([audit.appendMissing(missing()), aborted(signal)])
    return true
  } catch (error) {
    context.logger.error('not every row was recorded', { executionId, error: toTaskError(error).name })
    return false
  }
}

function untilShare({ signal, remainingMs }: TaskContext): AbortSignal {
  const ms = Math.floor(remainingMs() * shareForRows)
  return Number.isFinite(ms) ? AbortSignal.any([signal, AbortSignal.timeout(ms)]) : signal
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}
