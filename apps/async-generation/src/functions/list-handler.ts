import { binding } from '@stepwright/app/bindings'
import { http } from '@stepwright/app/functions'
import { listJobs } from '@stepwright/progress/tasks'
import { toSummary } from '../generation.ts'
import { withProcessId } from '../process-api.ts'
import { api, jobPorts } from './bindings.ts'

const summaryOf = binding({ open: () => toSummary })
export const ListHandler = http(withProcessId(listJobs), { ...jobPorts, summaryOf }, api)
