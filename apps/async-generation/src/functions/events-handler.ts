import { eventStream } from '@stepwright/app/functions'
import { jobFeed } from '@stepwright/progress/bindings'
import { followJob } from '@stepwright/progress/tasks'
import { followInput, withProcessId } from '../process-api.ts'
import { api, jobPorts } from './bindings.ts'

export const EventsHandler = eventStream(
  withProcessId(followJob),
  { ...jobPorts, feed: jobFeed(jobPorts.jobs, { intervalMs: 250 }) },
  // A viewer occupies a Lambda: there are so many, each for a minute at a time, and others poll.
  { ...api, input: followInput, timeoutSeconds: 60, concurrency: 100 },
)
