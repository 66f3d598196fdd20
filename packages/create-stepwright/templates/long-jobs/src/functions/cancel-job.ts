import { http } from '@stepwright/app/functions'
import { executions } from '@stepwright/idempotency/bindings'
import { jobStopper } from '@stepwright/progress/bindings'
import { cancelJob } from '@stepwright/progress/tasks'
import { jobs, owned } from '../jobs.ts'
import { report } from '../resources.ts'

const stopper = jobStopper(executions(report, 'stop'))
export const CancelJob = http(cancelJob, { jobs, stopper }, owned)
