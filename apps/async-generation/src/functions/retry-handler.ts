import { http } from '@stepwright/app/functions'
import { retryJob } from '@stepwright/progress/tasks'
import { withProcessId } from '../process-api.ts'
import { api, launchPorts } from './bindings.ts'

export const RetryHandler = http(withProcessId(retryJob), launchPorts, { ...api, successStatus: 202 })
