import { eventStream } from '@stepwright/app/functions'
import { jobFeed } from '@stepwright/progress/bindings'
import { followJob } from '@stepwright/progress/tasks'
import { followInput, withProcessId } from '../process-api.ts'
import { api, jobPorts } from './bindings.ts'

export const EventsHandler = eventStream(
  withProcessId(followJob),
  { ...jobPorts, feed: jobFeed(jobPorts.jobs, { intervalMs: 250 }) },
  { ...api, input: followInput, timeoutSeconds: 900 },
)
