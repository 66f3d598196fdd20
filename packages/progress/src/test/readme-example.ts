import { createProgressPlan, type JobView, trackJob } from '@stepwright/progress'
import { createMemoryJobStore } from '@stepwright/progress/memory'
import { getJob, startJob, updateStatus } from '@stepwright/progress/tasks'

const jobs = createMemoryJobStore() // or createPostgresJobStore({ pool })
const launcher = { launch: async () => {} } // starts an execution, named after the job's id
const plan = createProgressPlan({ subgoal: { weight: 12.5, times: 8 } })

// The API: 202 Accepted.
const { jobId } = await startJob.run(
  { userId: 'ann', type: 'ACTION_GENERATION', params: { goal: 'sail' } },
  { jobs, launcher },
)

// The state machine, then its worker.
const { attempt } = await updateStatus.run({ jobId, status: 'PROCESSING' }, { jobs })
const result = await trackJob({ jobs, jobId, attempt }, async ({ report, signal }) => {
  const run = plan.start()
  const actions: string[] = []
  for (let subgoal = 1; subgoal <= 8; subgoal += 1) {
    signal.throwIfAborted() // cancelled, or another worker has taken over
    actions.push(`action for subgoal ${subgoal}`)
    report(run.done('subgoal'))
  }
  return actions
})
await updateStatus.run({ jobId, attempt, status: 'COMPLETED', result }, { jobs })

export const view: JobView = await getJob.run({ userId: 'ann', jobId }, { jobs })
// { status: 'COMPLETED', progress: 100, result: ['action for subgoal 1', …], … }
