import { http } from '@stepwright/app/functions'
import { executions } from '@stepwright/idempotency/bindings'
import { jobStopper } from '@stepwright/progress/bindings'
import { cancelJob } from '@stepwright/progress/tasks'
import { withProcessId } from '../process-api.ts'
import { generation } from '../resources.ts'
import { api, jobPorts } from './bindings.ts'

const stopper = jobStopper(executions(generation, 'stop'))
export const CancelHandler = http(withProcessId(cancelJob), { ...jobPorts, stopper }, api)
