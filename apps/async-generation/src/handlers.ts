import * as jobs from '@stepwright/progress/tasks'
import { claimOf, type HttpRequest, toEventStreamHandler, toHttpHandler } from '@stepwright/task/http'
import { toLambdaHandler } from '@stepwright/task/lambda'
import * as ports from './compose.ts'
import { generate } from './generate.ts'
import { updateProcessingState as updateTask } from './job-tasks.ts'
import { migrateDatabase as migrateTask } from './migrations.ts'
import * as settings from './settings.ts'
import { startGeneration } from './start-generation.ts'

const reading = { settings: settings.databaseSettings, ports: ports.jobPorts }
const launching = { settings: settings.launchSettings, ports: ports.launchPorts }
const retrying = { settings: settings.retrySettings, ports: ports.retryPorts }
const cancelling = { settings: settings.executionSettings, ports: ports.cancelPorts }
const reaping = { settings: settings.executionSettings, ports: ports.reaperPorts }
const following = { settings: settings.databaseSettings, ports: ports.followPorts }
const updating = { settings: settings.databaseSettings, ports: ports.updatePorts }
const working = { settings: settings.workerSettings, ports: ports.workerPorts }
const migrating = { settings: settings.databaseSettings, ports: ports.migratePorts }

export const asyncProcessing = toHttpHandler(startGeneration, {
  ...launching,
  input: request => ({ ...ofCaller(request), ...keyOf(request) }),
  response: ({ processId, status }) => ({
    status: status === 'COMPLETED' ? 200 : 202,
    headers: { location: `/api/ai/async/status/${processId}` },
  }),
})
export const statusCheck = toHttpHandler(jobs.getJob, { ...reading, input: ofCaller })
export const listProcesses = toHttpHandler(jobs.listJobs, { ...reading, input: ofCaller })
export const retry = toHttpHandler(jobs.retryJob, { ...retrying, input: ofCaller, successStatus: 202 })
export const cancel = toHttpHandler(jobs.cancelJob, { ...cancelling, input: ofCaller })
export const processEvents = toEventStreamHandler(jobs.followJob, {
  ...following,
  input: request => ({ ...ofCaller(request), lastEventId: request.headers['last-event-id'] }),
})

export const updateProcessingState = toLambdaHandler(updateTask, updating)
export const aiGenerationWorker = toLambdaHandler(generate, working)
export const launchWaiting = toLambdaHandler(jobs.launchWaiting, launching)
export const endStuckJobs = toLambdaHandler(jobs.endStuckJobs, reaping)
export const watchJobs = toLambdaHandler(jobs.watchJobs, reading)
export const purgeJobs = toLambdaHandler(jobs.purgeJobs, reading)
export const migrateDatabase = toLambdaHandler(migrateTask, migrating)

/** What the caller says, and who it is: the token's word comes last. */
function ofCaller(request: HttpRequest): object {
  const { query, body, pathParameters } = request
  return { ...query, ...(body as object), ...pathParameters, userId: claimOf(request, 'sub') }
}

function keyOf({ headers }: HttpRequest): object {
  const key = headers['idempotency-key']
  return key === undefined ? {} : { idempotencyKey: key }
}
