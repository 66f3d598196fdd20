import { lambda } from '@stepwright/app/functions'
import { watchJobs } from '@stepwright/progress/tasks'
import { jobPorts } from './bindings.ts'

export const WatchJobs = lambda(watchJobs, jobPorts, { timeoutSeconds: 25 })
