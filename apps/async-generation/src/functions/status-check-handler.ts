import { http } from '@stepwright/app/functions'
import { getJob } from '@stepwright/progress/tasks'
import { unlessKnown, withProcessId } from '../process-api.ts'
import { api, capacity, jobPorts } from './bindings.ts'

export const StatusCheckHandler = http(
  withProcessId(getJob),
  { ...jobPorts, capacity },
  { ...api, response: unlessKnown },
)
