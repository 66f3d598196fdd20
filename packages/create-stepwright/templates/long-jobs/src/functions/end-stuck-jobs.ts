import { lambda } from '@stepwright/app/functions'
import { endStuckJobs } from '@stepwright/progress/tasks'
import { jobs } from '../jobs.ts'

/** Ends jobs whose workers are dead. */
export const EndStuckJobs = lambda(endStuckJobs, { jobs }, { timeoutSeconds: 60 })
