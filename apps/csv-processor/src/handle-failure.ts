import { failureEventSchema, type RecordFailurePorts, recordFailure } from '@stepwright/audit-log/tasks'
import { csvFileSchema, readManifest } from '@stepwright/csv-chunker/tasks'
import { objectStoreTaskErrors } from '@stepwright/object-store/tasks'
import * as z from 'zod/mini'
import type { DataPorts } from './data-ports.ts'
import { outcomesOfChunks, type RowFailure } from './outcomes.ts'
import { ToleranceExceededError } from './tolerance.ts'

const failureEvent = z.object({
  ...failureEventSchema.shape,
  errorType: z.enum(['VALIDATION_FAILURE', 'MAP_PROCESSING_FAILURE', 'SYSTEM_FAILURE']),
  startTime: z.iso.datetime({ offset: true }),
  s3: z.looseObject({ bucket: z.string(), key: z.string() }),
  validation: z.optional(
    z.looseObject({
      jobId: z.string(),
      manifest: z.object({ bucket: z.string(), key: z.string() }),
      file: csvFileSchema,
    }),
  ),
  s3Output: z.object({ bucket: z.string(), keyPrefix: z.string() }),
})

export type FailurePorts = RecordFailurePorts<z.output<typeof failureEvent>>

/** ERROR_HANDLING: leaves a record of a failed execution, in the trail and as a file, before it ends in Fail. */
export const handleFailure = recordFailure({
  event: failureEvent,
  // Bad files and too many bad rows are the sender's; all else is ours.
  isBusiness: ({ errorType, error }) =>
    errorType === 'VALIDATION_FAILURE' || error.Error === ToleranceExceededError.errorName,
  // SealTrail does.
  seals: false,
  errors: objectStoreTaskErrors,
})

const notProcessed: RowFailure = {
  logType: 'SYSTEM_ERROR',
  error: { name: 'NotProcessed', reason: 'the Map ended before the row was processed' },
}

export function createFailurePorts({
  storeOf,
  ledger,
  readChunk,
}: Pick<DataPorts, 'storeOf' | 'ledger' | 'readChunk'>): Omit<FailurePorts, 'audit'> {
  return {
    /** Rows that the Map did not get to. */
    async *outcomesOfRest({ validation }, context) {
      if (validation === undefined) return
      const { jobId, manifest: place, file } = validation
      const manifest = await readManifest(storeOf(place.bucket), place.key, context.signal)
      const entries = (manifest?.chunks ?? []).map(chunk => ({ jobId, file, chunk }))
      const options = { ...context, unreachable: 'unwritten' } as const
      yield* outcomesOfChunks(entries, notProcessed, { ledger, readChunk }, options)
    },
    async reportFailure(event, { error, isEveryItemRecorded }, { signal }) {
      const { executionId, errorType, startTime, timestamp, s3, s3Output } = event
      const times = { startTime, endTime: timestamp }
      const report = { status: 'FAILED', errorType, executionId, ...times, input: s3, error }
      const body = JSON.stringify({ ...report, isEveryRowRecorded: isEveryItemRecorded }, undefined, 2)
      const key = `${s3Output.keyPrefix}${executionId}/failure.json`
      await storeOf(s3Output.bucket).put(key, `${body}\n`, { contentType: 'application/json', signal })
    },
  }
}
