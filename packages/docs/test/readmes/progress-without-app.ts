import { SFNClient } from '@aws-sdk/client-sfn'
import { createJobFeed } from '@stepwright/progress'
import { createPostgresJobStore } from '@stepwright/progress/postgres'
import { createStepFunctionsCallback } from '@stepwright/progress/step-functions'
import { followJob, getJob, type JobWork, workOnJob } from '@stepwright/progress/tasks'
import {
  claimOf,
  type HttpRequest,
  mergeFields,
  toEventStreamHandler,
  toHttpHandler,
} from '@stepwright/task/http'
import { toLambdaHandler } from '@stepwright/task/lambda'
import pg from 'pg'

export async function work({ keep }: JobWork): Promise<void> {
  await keep(0, 'the only part', 99)
}

const doWork = workOnJob({ name: 'work', description: 'Works.', errors: [], ports: {}, work })

const jobs = createPostgresJobStore({ pool: new pg.Pool() })
function ofOwner(request: HttpRequest) {
  return { ...(mergeFields(request) as object), userId: claimOf(request, 'sub') }
}

export const get = toHttpHandler(getJob, { ports: { jobs }, input: ofOwner })
export const follow = toEventStreamHandler(followJob, {
  ports: { jobs, feed: createJobFeed({ jobs }) },
  input: ofOwner,
})
export const worker = toLambdaHandler(doWork, {
  ports: { jobs, callback: createStepFunctionsCallback({ client: new SFNClient() }) },
})
