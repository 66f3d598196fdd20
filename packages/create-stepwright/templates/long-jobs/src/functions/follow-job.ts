import { eventStream } from '@stepwright/app/functions'
import { jobFeed } from '@stepwright/progress/bindings'
import { followJob } from '@stepwright/progress/tasks'
import { jobs, owned } from '../jobs.ts'

/** A browser that lost its connection says which event it saw last. */
export const FollowJob = eventStream(
  followJob,
  { jobs, feed: jobFeed(jobs, { intervalMs: 250 }) },
  {
    ...owned,
    input: ({ pathParameters, headers }) => ({ ...pathParameters, lastEventId: headers['last-event-id'] }),
    timeoutSeconds: 900,
  },
)
