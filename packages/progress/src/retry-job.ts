import { ForbiddenError, ServiceUnavailableException, ThrottlingException } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import { RetryRefusedError } from './errors.ts'
import type { Job } from './job.ts'
import {
  findOwned,
  jobView,
  type LaunchPorts,
  noteStart,
  type OwnedJobInput,
  ownedJob,
  storeErrors,
} from './job-task.ts'
import { type JobView, toJobView } from './job-view.ts'
import { toRetryId } from './retry-id.ts'

const maxRetries = 3

/** Starts a failed, timed out or cancelled job again as a new one. Asked twice, it gives the same one. */
export const retryJob: Task<OwnedJobInput, JobView, LaunchPorts> = /* @__PURE__ */ defineTask({
  name: 'retry-job',
  input: ownedJob,
  output: jobView,
  errors: [
    ForbiddenError,
    RetryRefusedError,
    ThrottlingException,
    ServiceUnavailableException,
    ...storeErrors,
  ],
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
    if (created) await noteStart(ports, context)
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
