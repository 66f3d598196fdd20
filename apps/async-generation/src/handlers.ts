import type { JobView } from '@stepwright/progress'
import * as jobs from '@stepwright/progress/tasks'
import {
  claimOf,
  type HttpRequest,
  type ResponseFacts,
  toEventStreamHandler,
  toHttpHandler,
} from '@stepwright/task/http'
import { toLambdaHandler } from '@stepwright/task/lambda'
import * as ports from './compose.ts'
import { generate } from './generate.ts'
import { updateProcessingState as updateTask } from './job-tasks.ts'
import { migrateDatabase as migrateTask } from './migrations.ts'
import * as settings from './settings.ts'
import { startGeneration } from './start-generation.ts'

// Each with options of its own, without spreads: a bundler leaves out what a function does not use.

const starting = {
  settings: settings.launchSettings,
  ports: ports.launchPorts,
  input: startOf,
  response: accepted,
}
const reading = { settings: settings.databaseSettings, ports: ports.jobPorts, input: ofCaller }
const retrying = {
  settings: settings.retrySettings,
  ports: ports.retryPorts,
  input: ofCaller,
  successStatus: 202,
}
const cancelling = { settings: settings.executionSettings, ports: ports.cancelPorts, input: ofCaller }
const following = { settings: settings.databaseSettings, ports: ports.followPorts, input: followOf }
const launching = { settings: settings.launchSettings, ports: ports.launchPorts }
const reaping = { settings: settings.executionSettings, ports: ports.reaperPorts }
const updating = { settings: settings.databaseSettings, ports: ports.updatePorts }
const working = { settings: settings.workerSettings, ports: ports.workerPorts }
const tending = { settings: settings.databaseSettings, ports: ports.jobPorts }
const migrating = { settings: settings.databaseSettings, ports: ports.migratePorts }

export const asyncProcessing = /* @__PURE__ */ toHttpHandler(startGeneration, starting)
export const statusCheck = /* @__PURE__ */ toHttpHandler(jobs.getJob, reading)
export const listProcesses = /* @__PURE__ */ toHttpHandler(jobs.listJobs, reading)
export const retry = /* @__PURE__ */ toHttpHandler(jobs.retryJob, retrying)
export const cancel = /* @__PURE__ */ toHttpHandler(jobs.cancelJob, cancelling)
export const processEvents = /* @__PURE__ */ toEventStreamHandler(jobs.followJob, following)

export const updateProcessingState = /* @__PURE__ */ toLambdaHandler(updateTask, updating)
export const aiGenerationWorker = /* @__PURE__ */ toLambdaHandler(generate, working)
export const launchWaiting = /* @__PURE__ */ toLambdaHandler(jobs.launchWaiting, launching)
export const endStuckJobs = /* @__PURE__ */ toLambdaHandler(jobs.endStuckJobs, reaping)
export const watchJobs = /* @__PURE__ */ toLambdaHandler(jobs.watchJobs, tending)
export const purgeJobs = /* @__PURE__ */ toLambdaHandler(jobs.purgeJobs, tending)
export const migrateDatabase = /* @__PURE__ */ toLambdaHandler(migrateTask, migrating)

/** What the caller says, and who it is: the token's word comes last. */
function ofCaller(request: HttpRequest): object {
  const { query, body, pathParameters } = request
  return { ...query, ...(body as object), ...pathParameters, userId: claimOf(request, 'sub') }
}

function startOf(request: HttpRequest): object {
  const key = request.headers['idempotency-key']
  return { ...ofCaller(request), ...(key !== undefined && { idempotencyKey: key }) }
}

function followOf(request: HttpRequest): object {
  return { ...ofCaller(request), lastEventId: request.headers['last-event-id'] }
}

function accepted({ processId, status }: JobView): ResponseFacts {
  return {
    status: status === 'COMPLETED' ? 200 : 202,
    headers: { location: `/api/ai/async/status/${processId}` },
  }
}
