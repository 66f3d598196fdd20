import { ForbiddenError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import { RetryRefusedError, TooManyJobsError } from './errors.ts'
import type { Job } from './job.ts'
import { insertNeeds } from './job-needs.ts'
import {
  findOwned,
  type InsertPorts,
  insertJob,
  jobView,
  type OwnedJobInput,
  ownedJob,
  refuseOthers,
} from './job-task.ts'
import { type JobView, toJobView } from './job-view.ts'
import { launchNext } from './launch-waiting.ts'
import { toRetryId } from './retry-id.ts'
import { launchErrors, storeErrors } from './task-errors.ts'
import { isFinal } from './transitions.ts'

export interface RetryJobPorts extends InsertPorts {
  /** How many retries in a row there may be. @default 3 */
  readonly maxRetries?: number
}

/** Starts a failed, timed out or cancelled job again as a new one. Asked twice, it gives the same one. */
export const retryJob: Task<OwnedJobInput, JobView, RetryJobPorts> = /* @__PURE__ */ defineTask({
  name: 'retry-job',
  description: 'Starts the work of a job that ended without a result again, as a new job.',
  idempotent: true,
  needs: {
    ports: { ...insertNeeds.ports, maxRetries: 'how many retries in a row there may be; optional' },
    permissions: insertNeeds.permissions,
  },
  input: ownedJob,
  output: jobView,
  errors: [ForbiddenError, RetryRefusedError, TooManyJobsError, ...launchErrors, ...storeErrors],
  async run(input, ports: RetryJobPorts, context) {
    // A status that can be retried is final, so it still holds when the retry is inserted.
    const failed = await findOwned(ports, input)
    refuseUnlessRetryable(failed, ports.maxRetries ?? 3)
    const { userId, type, params, targetId, retryCount, priority, payloadKey } = failed
    const id = toRetryId(failed.id)
    const { job, created } = await insertJob(ports, {
      id,
      userId,
      type,
      params,
      targetId,
      retryCount: retryCount + 1,
      retryOf: failed.id,
      priority,
      payloadKey,
      launched: ports.capacity === undefined,
    })
    refuseOthers(job, userId, ports)
    refuseIfRetried(failed, job)
    if (created) context.metrics.add('AsyncProcessingStarted', 1)
    try {
      await launchNext(ports, job)
    } catch (error) {
      if (ports.capacity === undefined) throw error
      // Perhaps it was the job of another; whichever, a later call launches it.
      context.logger.warn('jobs were not launched, and will be later', { reason: String(error) })
    }
    return toJobView(job, context.now())
  },
})

/** Asked again while its retry is open or has a result, that one is the answer; one that failed is to be retried itself. */
function refuseIfRetried({ id }: Job, retry: Job): void {
  if (!isFinal(retry.status) || retry.status === 'COMPLETED') return
  throw new RetryRefusedError(`job ${id} was retried before: retry ${retry.id}, which is ${retry.status}`, {
    code: 'ALREADY_RETRIED',
    details: { retriedBy: retry.id, status: retry.status },
  })
}

function refuseUnlessRetryable({ id, status, retryCount }: Job, maxRetries: number): void {
  if (status === 'PENDING' || status === 'PROCESSING' || status === 'COMPLETED') {
    throw new RetryRefusedError(`job ${id} is ${status}: only one that ended without a result is retried`, {
      code: 'NOT_FAILED',
      details: { status },
    })
  }
  if (retryCount >= maxRetries) {
    throw new RetryRefusedError(`job ${id} is retry ${retryCount} of ${maxRetries}: start a new one`, {
      code: 'LIMIT_REACHED',
      details: { retryCount },
    })
  }
}
