import { AuditVerificationError } from '@stepwright/audit-log'
import { readManifest } from '@stepwright/csv-chunker/tasks'
import { type ParsedCause, parseCause } from '@stepwright/errors'
import { defineTask, type TaskContext } from '@stepwright/task'
import * as z from 'zod/mini'
import { caughtError } from './caught-error.ts'
import { tolerantLedger } from './chunk-ledger.ts'
import { completeTrail } from './complete-trail.ts'
import { csvSource } from './csv-batch.ts'
import type { CsvProcessorPorts } from './ports.ts'
import type { ChunkFailure } from './row-outcomes.ts'
import { storageErrors, ToleranceExceededError } from './task-errors.ts'

const input = z.object({
  errorType: z.enum(['VALIDATION_FAILURE', 'MAP_PROCESSING_FAILURE', 'SYSTEM_FAILURE']),
  executionId: z.string().check(z.minLength(1)),
  startTime: z.iso.datetime({ offset: true }),
  s3: z.looseObject({ bucket: z.string(), key: z.string() }),
  validation: z.optional(
    z.looseObject({
      jobId: z.string(),
      manifest: z.object({ bucket: z.string(), key: z.string() }),
      file: csvSource,
    }),
  ),
  error: caughtError,
  timestamp: z.iso.datetime({ offset: true }),
  s3Output: z.object({ bucket: z.string(), keyPrefix: z.string() }),
})

type FailureInput = z.output<typeof input>

const output = z.object({ outputBucket: z.string(), outputKey: z.string() })

/** The entry of the execution itself: rows are counted from 1. */
const executionItem = 0

const notProcessed: ChunkFailure = {
  logType: 'SYSTEM_ERROR',
  error: { Error: 'NotProcessed', Cause: 'the Map ended before the row was processed' },
}

/** ERROR_HANDLING: leaves a record of a failed execution, in the trail and as a file, before it ends in Fail. */
export const handleFailure = /* @__PURE__ */ defineTask({
  name: 'handle-failure',
  input,
  output,
  errors: [AuditVerificationError, ...storageErrors],
  async run(failure, ports: CsvProcessorPorts, context) {
    const { executionId, errorType, startTime, timestamp, s3, error, s3Output } = failure
    const cause = parseCause(error)
    context.logger.error('execution failed', { executionId, errorType, error: error.Error })
    const outputKey = `${s3Output.keyPrefix}${executionId}/failure.json`
    const report = {
      status: 'FAILED',
      errorType,
      executionId,
      startTime,
      endTime: timestamp,
      input: s3,
      error: describe(cause),
    }
    await ports.storeOf(s3Output.bucket).put(outputKey, `${JSON.stringify(report, undefined, 2)}\n`, {
      contentType: 'application/json',
      signal: context.signal,
    })
    await completeRows(failure, ports, context)
    await ports.audit.append({
      executionId,
      itemIndex: executionItem,
      logType: isBusiness(failure) ? 'BUSINESS_ERROR' : 'SYSTEM_ERROR',
      timestamp,
      error: { ...describe(cause), errorType },
    })
    await ports.audit.seal(executionId)
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

/** Rows whose batches the Map no longer got to have an entry all the same. */
async function completeRows(
  { executionId, validation, timestamp }: FailureInput,
  ports: CsvProcessorPorts,
  context: TaskContext,
): Promise<void> {
  if (validation === undefined) return
  const { jobId, manifest: place, file } = validation
  const manifest = await readManifest(ports.storeOf(place.bucket), place.key, context.signal)
  const batches = (manifest?.chunks ?? []).map(chunk => ({
    batch: { BatchInput: { executionId, jobId, file }, Items: [chunk] },
    failure: notProcessed,
  }))
  const ledger = tolerantLedger(ports.ledger)
  await completeTrail(executionId, batches, timestamp, { ...ports, ledger }, context)
}
