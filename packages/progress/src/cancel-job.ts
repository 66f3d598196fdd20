import { ForbiddenError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import { IllegalTransitionError } from './errors.ts'
import type { Job } from './job.ts'
import { stopNeeds } from './job-needs.ts'
import { findOwned, type JobPorts, jobView, type OwnedJobInput, ownedJob } from './job-task.ts'
import { type JobView, toJobView } from './job-view.ts'
import { endJob } from './move-job.ts'
import { storeErrors } from './task-errors.ts'

export interface CancelJobPorts extends JobPorts {
  /** Stops the execution of a job. @default nothing does: the worker notices at its next sign of life */
  readonly stopper?: JobStopper
}

export interface JobStopper {
  /** Of a job that was not launched, or has ended, there is nothing to stop. */
  stop(job: Job): Promise<void>
}

/** Cancels a job that has not ended, and stops its work; should that fail, its worker notices by itself. */
export const cancelJob: Task<OwnedJobInput, JobView, CancelJobPorts> = /* @__PURE__ */ defineTask({
  name: 'cancel-job',
  description: 'Cancels a job of its owner that has not ended.',
  idempotent: true,
  needs: stopNeeds,
  input: ownedJob,
  output: jobView,
  errors: [ForbiddenError, IllegalTransitionError, ...storeErrors],
  async run(input, ports: CancelJobPorts, { now, logger }) {
    await findOwned(ports, input)
    const { job } = await endJob(ports.jobs, input.jobId, { status: 'CANCELLED' })
    await ports.stopper?.stop(job).catch(reason => {
      logger.warn('the work of a cancelled job was not stopped', {
        jobId: job.id,
        reason: String(reason),
      })
    })
    return toJobView(job, now())
  },
})
