import { ForbiddenError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import { jobNeeds } from './job-needs.ts'
import { findOwned, type JobPorts, jobView, type OwnedJobInput, ownedJob } from './job-task.ts'
import { type JobView, toJobView } from './job-view.ts'
import { storeErrors } from './task-errors.ts'

/** A job's state, for its owner. */
export const getJob: Task<OwnedJobInput, JobView, JobPorts> = /* @__PURE__ */ defineTask({
  name: 'get-job',
  description: 'Shows a job to its owner, with the time when it will be done.',
  idempotent: true,
  needs: jobNeeds,
  input: ownedJob,
  output: jobView,
  errors: [ForbiddenError, ...storeErrors],
  async run(input, ports: JobPorts, { now }) {
    return toJobView(await findOwned(ports, input), now())
  },
})
