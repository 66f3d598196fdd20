import { type JobView, trackJob } from '@stepwright/progress'
import { createMemoryJobStore } from '@stepwright/progress/memory'
import { cancelJob, startJob, updateStatus } from '@stepwright/progress/tasks'

const jobs = createMemoryJobStore()
const launcher = { launch: async () => {} } // starts the execution that works on the job

// Ann asks for a report, and the state machine's worker takes it.
const { jobId } = await startJob.run({ userId: 'ann', type: 'REPORT' }, { jobs, launcher })
const { attempt } = await updateStatus.run({ jobId, status: 'PROCESSING' }, { jobs })
export const pages: number[] = []
const work = trackJob({ jobs, jobId, attempt, intervalMs: 0 }, async ({ report, signal }) => {
  for (let page = 1; page <= 100; page += 1) {
    signal.throwIfAborted() // before each step that costs something
    pages.push(page)
    report(page)
    await new Promise(resolve => setImmediate(resolve)) // the work of one page
  }
})

// Ann changes her mind, in another process.
export const view: JobView = await cancelJob.run({ userId: 'ann', jobId }, { jobs })
// { status: 'CANCELLED', … }
export const outcome: unknown = await work.catch(error => error)
// JobCancelledError: the worker stopped long before page 100
