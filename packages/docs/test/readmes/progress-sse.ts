import { createServer, type IncomingMessage } from 'node:http'
import { createJobFeed, type JobStore } from '@stepwright/progress'
import { followJob } from '@stepwright/progress/tasks'
import { sendEvents, toEventsResponse } from '@stepwright/task/sse'

interface Viewer {
  readonly userId: string
  readonly jobId: string
  readonly lastEventId?: string
}

export function serveJobs(jobs: JobStore, viewerOf: (request: IncomingMessage | Request) => Viewer) {
  const ports = { jobs, feed: createJobFeed({ jobs }) }

  // Node's http, and Express.
  const server = createServer((request, response) => {
    void sendEvents(response, signal => followJob.run(viewerOf(request), ports, { signal }))
  })

  // Hono, and other servers that speak Fetch.
  const fetch = (request: Request) =>
    toEventsResponse(signal => followJob.run(viewerOf(request), ports, { signal }))

  return { server, fetch }
}
