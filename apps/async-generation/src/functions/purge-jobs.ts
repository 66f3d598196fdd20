import { lambda } from '@stepwright/app/functions'
import { purgeJobs } from '@stepwright/progress/tasks'
import { jobPorts } from './bindings.ts'

export const PurgeJobs = lambda(purgeJobs, jobPorts, { timeoutSeconds: 280 })
