import { cancelJob, endStuckJobs, followJob, getJob, updateStatus } from '@stepwright/progress/tasks'
import { claimOf, type HttpRequest, toEventStreamHandler, toHttpHandler } from '@stepwright/task/http'
import { toLambdaHandler } from '@stepwright/task/lambda'
import * as compose from './compose.ts'
import { migrateDatabase } from './migrate-database.ts'
import { startReport, writeReport } from './report.ts'
import { databaseSettings, jobSettings } from './settings.ts'

export const start = toHttpHandler(startReport, {
  settings: jobSettings,
  ports: compose.composeExecutions,
  input: request => ({ type: 'REPORT', params: request.body, ...ownerOf(request) }),
  successStatus: 202,
})
export const get = toHttpHandler(getJob, {
  settings: databaseSettings,
  ports: compose.composeJobs,
  input: ofOwner,
})
export const follow = toEventStreamHandler(followJob, {
  settings: databaseSettings,
  ports: compose.composeFeed,
  input: request => ({ ...ofOwner(request), lastEventId: request.headers['last-event-id'] }),
})
export const cancel = toHttpHandler(cancelJob, {
  settings: jobSettings,
  ports: compose.composeExecutions,
  input: ofOwner,
})
export const update = toLambdaHandler(updateStatus, {
  settings: databaseSettings,
  ports: compose.composeUpdates,
})
export const write = toLambdaHandler(writeReport, {
  settings: databaseSettings,
  ports: compose.composeWorker,
})
export const endStuck = toLambdaHandler(endStuckJobs, {
  settings: databaseSettings,
  ports: compose.composeJobs,
})
export const migrate = toLambdaHandler(migrateDatabase, {
  settings: databaseSettings,
  ports: compose.composeMigrations,
})

/** Who the token says it is: nobody sees the jobs of others. */
function ownerOf(request: HttpRequest) {
  return { userId: claimOf(request, 'sub') }
}

function ofOwner(request: HttpRequest) {
  return { ...request.pathParameters, ...ownerOf(request) }
}
