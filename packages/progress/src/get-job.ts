import { ForbiddenError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import { jobNeeds } from './job-needs.ts'
import { findOwned, type JobPorts, jobDetail, type OwnedJobInput, ownedJob } from './job-task.ts'
import { type JobDetail, toJobView } from './job-view.ts'
import { queueRules } from './launch-waiting.ts'
import { storeErrors } from './task-errors.ts'

export interface GetJobPorts extends JobPorts {
  /** How many jobs may run at once: then one that waits has its position in the queue. @default as many as come */
  readonly capacity?: number
}

/** A job's state, for its owner. */
export const getJob: Task<OwnedJobInput, JobDetail, GetJobPorts> = /* @__PURE__ */ defineTask({
  name: 'get-job',
  description: 'Shows a job to its owner, with the time when it will be done.',
  idempotent: true,
  needs: {
    ports: { ...jobNeeds.ports, capacity: 'how many jobs may run at once; optional' },
    permissions: jobNeeds.permissions,
  },
  input: ownedJob,
  output: jobDetail,
  errors: [ForbiddenError, ...storeErrors],
  async run(input, ports: GetJobPorts, { now }) {
    const job = await findOwned(ports, input)
    const { jobs, capacity } = ports
    const waits = capacity !== undefined && job.status === 'PENDING' && job.launchedAt === null
    const position = waits ? await jobs.findPlace(job.id, queueRules) : undefined
    const place = waits && position !== undefined ? { position, capacity } : undefined
    return { ...toJobView(job, now(), place), params: job.params }
  },
})
