import { ForbiddenError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import { IllegalTransitionError } from './errors.ts'
import { jobNeeds } from './job-needs.ts'
import { findOwned, type JobPorts, jobView, type OwnedJobInput, ownedJob } from './job-task.ts'
import { type JobView, toJobView } from './job-view.ts'
import { endJob } from './move-job.ts'
import { storeErrors } from './task-errors.ts'

/** Cancels a job that has not ended; its worker notices at its next write. */
export const cancelJob: Task<OwnedJobInput, JobView, JobPorts> = /* @__PURE__ */ defineTask({
  name: 'cancel-job',
  description: 'Cancels a job of its owner that has not ended.',
  idempotent: true,
  needs: jobNeeds,
  input: ownedJob,
  output: jobView,
  errors: [ForbiddenError, IllegalTransitionError, ...storeErrors],
  async run(input, { jobs }: JobPorts, { now }) {
    await findOwned(jobs, input)
    const { job } = await endJob(jobs, input.processId, { status: 'CANCELLED' })
    return toJobView(job, now())
  },
})
