import { ForbiddenError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import { findOwned, type JobPorts, jobView, type OwnedJobInput, ownedJob, storeErrors } from './job-task.ts'
import { type JobView, toJobView } from './job-view.ts'

/** A job's state, for its owner. */
export const getJob: Task<OwnedJobInput, JobView, JobPorts> = /* @__PURE__ */ defineTask({
  name: 'get-job',
  input: ownedJob,
  output: jobView,
  errors: [ForbiddenError, ...storeErrors],
  async run(input, { jobs }: JobPorts, { now }) {
    return toJobView(await findOwned(jobs, input), now())
  },
})
