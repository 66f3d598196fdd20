import { http } from '@stepwright/app/functions'
import { getJob } from '@stepwright/progress/tasks'
import { withProcessId } from '../process-api.ts'
import { api, jobPorts } from './bindings.ts'

export const StatusCheckHandler = http(withProcessId(getJob), jobPorts, api)
