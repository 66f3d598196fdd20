import { http } from '@stepwright/app/functions'
import { retryJob } from '@stepwright/progress/tasks'
import { withProcessId } from '../process-api.ts'
import { api, startPorts } from './bindings.ts'

export const RetryHandler = http(withProcessId(retryJob), startPorts, { ...api, successStatus: 202 })
