import { ForbiddenError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import { RetryRefusedError } from './errors.ts'
import type { Job } from './job.ts'
import { launchNeeds } from './job-needs.ts'
import { findOwned, jobView, type LaunchPorts, type OwnedJobInput, ownedJob } from './job-task.ts'
import { type JobView, toJobView } from './job-view.ts'
import { toRetryId } from './retry-id.ts'
import { launchErrors, storeErrors } from './task-errors.ts'

const maxRetries = 3

/** Starts a failed, timed out or cancelled job again as a new one. Asked twice, it gives the same one. */
export const retryJob: Task<OwnedJobInput, JobView, LaunchPorts> = /* @__PURE__ */ defineTask({
  name: 'retry-job',
  description: 'Starts the work of a job that ended without a result again, as a new job.',
  idempotent: true,
  needs: launchNeeds,
  input: ownedJob,
  output: jobView,
  errors: [ForbiddenError, RetryRefusedError, ...launchErrors, ...storeErrors],
  async run(input, ports: LaunchPorts, context) {
    // A status that can be retried is final, so it still holds when the retry is inserted.
    const failed = await findOwned(ports.jobs, input)
    refuseUnlessRetryable(failed)
    const { userId, type, params, targetId, retryCount } = failed
    const id = toRetryId(failed.id)
    const { job, created } = await ports.jobs.insert({
      id,
      userId,
      type,
      params,
      targetId,
      retryCount: retryCount + 1,
    })
    if (created) context.metrics.add('AsyncProcessingStarted', 1)
    if (job.status === 'PENDING') await ports.launcher.launch(job)
    return toJobView(job, context.now())
  },
})

function refuseUnlessRetryable({ id, status, retryCount }: Job): void {
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
