import { http } from '@stepwright/app/functions'
import { getJob } from '@stepwright/progress/tasks'
import { jobs, owned } from '../jobs.ts'

export const GetJob = http(getJob, { jobs }, owned)
