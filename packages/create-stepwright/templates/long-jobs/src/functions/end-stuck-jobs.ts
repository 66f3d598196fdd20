import { lambda } from '@stepwright/app/functions'
import { executions } from '@stepwright/idempotency/bindings'
import { jobOutcomes } from '@stepwright/progress/bindings'
import { endStuckJobs } from '@stepwright/progress/tasks'
import { jobs } from '../jobs.ts'
import { report } from '../resources.ts'

/** Ends jobs whose workers are dead, as their executions ended. */
const outcomeOf = jobOutcomes(executions(report, 'describe'))
export const EndStuckJobs = lambda(endStuckJobs, { jobs, outcomeOf }, { timeoutSeconds: 60 })
