import { http } from '@stepwright/app/functions'
import { listJobs } from '@stepwright/progress/tasks'
import { withProcessId } from '../process-api.ts'
import { api, jobPorts } from './bindings.ts'

export const ListHandler = http(withProcessId(listJobs), jobPorts, api)
