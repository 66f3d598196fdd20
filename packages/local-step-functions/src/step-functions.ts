import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import {
  type CallService,
  createEngine,
  createRealClock,
  type Engine,
  type EngineOptions,
  type ObjectStorePort,
  TaskFailure,
} from '@stepwright/asl-engine'
import { startLoopbackServer } from '@stepwright/local-server'
import { activityOperations } from './api/activity-operations.ts'
import { ApiError } from './api/api-error.ts'
import { executionOperations } from './api/execution-operations.ts'
import { machineOperations } from './api/machine-operations.ts'
import { createParameters } from './api/request.ts'
import { tagOperations } from './api/tag-operations.ts'
import { testStateOperation } from './api/test-state-operation.ts'
import { createTokenBucket, type TokenBucketOptions } from './api/token-bucket.ts'
import { createExecutions, type ExecutionSummary } from './executions/executions.ts'
import { createMapRuns } from './executions/map-runs.ts'
import { createMetrics, type StateMachineMetrics } from './executions/metrics.ts'
import { type StatusChangeEvent, toStatusEvent } from './executions/status-event.ts'
import { createApiTaskTokens } from './executions/task-tokens.ts'
import { createFunctionHost, type RegisteredFunction } from './functions/function-host.ts'
import { createOwnServices } from './functions/own-services.ts'
import { createActivities } from './machines/activities.ts'
import { createFileJournals, createMemoryJournals } from './machines/journal.ts'
import { createMachines } from './machines/machines.ts'
import type { Operations, World } from './world.ts'

export interface StepFunctionsOptions {
  /** @default a free one */
  readonly port?: number
  /** Where state machines, activities and executions are kept; without it they last as long as the server. */
  readonly directory?: string
  /** The Lambda functions that tasks call, by name or ARN. */
  readonly functions?: Readonly<Record<string, RegisteredFunction>>
  /** Answers service integrations other than Lambda and Step Functions itself. */
  readonly services?: CallService
  /** Where Distributed Maps read and write. @default an empty memory */
  readonly objects?: ObjectStorePort
  /** Hears of every change of an execution's status, as EventBridge would. */
  readonly onStatusChange?: (event: StatusChangeEvent) => void
  /** Throttles as AWS does; absent means not at all. */
  readonly throttling?: {
    readonly startExecution?: TokenBucketOptions
    readonly stateTransition?: TokenBucketOptions
  }
  /** How long GetActivityTask waits for a task. @default 60 */
  readonly pollSeconds?: number
  /** @default '000000000000' */
  readonly account?: string
  /** @default Date.now */
  readonly now?: () => number
}

export interface StepFunctions extends AsyncDisposable {
  readonly endpoint: string
  readonly region: string
  /** Any are accepted: signatures are not verified. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** For `new SFNClient(…)`. */
  readonly clientConfig: {
    readonly endpoint: string
    readonly region: string
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
    /** StartSyncExecution would otherwise go to a host of another name. */
    readonly disableHostPrefix: true
  }
  readonly metrics: (stateMachineArn: string) => StateMachineMetrics
  /** Cuts all connections. What was running goes on when a server starts on the same directory. */
  stop(): Promise<void>
}

const region = 'us-east-1'
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
const maxRequestBytes = 4 * 1024 * 1024

/** Starts the Step Functions API in this process, on loopback. */
export async function startStepFunctions(options: StepFunctionsOptions = {}): Promise<StepFunctions> {
  const world = createWorld(options)
  const operations = createOperations(world)
  world.executions.resumeAll()
  const server = await startLoopbackServer(
    (request, response, closing) => answer(request, response, closing, operations),
    options.port ?? 0,
  )
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= server.close().then(() => world.executions.suspendAll())
    return stopped
  }
  return {
    endpoint: server.endpoint,
    region: region,
    credentials: credentials,
    clientConfig: {
      endpoint: server.endpoint,
      region: region,
      credentials: credentials,
      disableHostPrefix: true,
    },
    metrics: world.metrics.of,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

const noService: CallService = ({ service, action }) => {
  throw new TaskFailure('States.Runtime', `No adapter answers ${service}:${action}: pass one as 'services'`)
}

function createWorld(options: StepFunctionsOptions): World {
  const { account = '000000000000', now = Date.now, directory, functions = {}, throttling = {} } = options
  const arnPrefix = `arn:aws:states:${region}:${account}`
  const uuid = randomUUID
  const clock = createRealClock(now)
  const metrics = createMetrics()
  const taskTokens = createApiTaskTokens()
  const journals = directory === undefined ? createMemoryJournals() : createFileJournals(directory)
  const executionJournals =
    directory === undefined ? createMemoryJournals() : createFileJournals(join(directory, 'executions'))
  const mapRuns = createMapRuns(journals)
  const machines = createMachines({ journals, arnPrefix, now, uuid })
  const activities = createActivities({ journals, arnPrefix, now, taskTokens })
  const transitions =
    throttling.stateTransition === undefined ? undefined : createTokenBucket(throttling.stateTransition, now)
  const invoke = createFunctionHost({ functions, now, uuid })

  const callApi = async (operation: string, body: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const operate = createOperations(world)[operation]
    if (operate === undefined)
      throw new ApiError('UnknownOperationException', `There is no operation ${operation}`)
    return operate(createParameters(body), new AbortController().signal)
  }
  const services = createOwnServices(
    {
      callApi,
      ended: arn => executions.ended(executions.get(arn)),
      stop: arn => void executions.stop(arn, undefined, undefined),
      uuid,
    },
    options.services ?? noService,
  )
  const enginePorts = ({
    stateMachineArn,
  }: {
    readonly stateMachineArn: string
  }): Omit<EngineOptions, 'definition'> => ({
    clock,
    invoke,
    services,
    activities,
    taskTokens,
    region: region,
    account,
    ...(options.objects === undefined ? {} : { objects: options.objects }),
    mapRuns,
    ...(transitions === undefined
      ? {}
      : {
          admit: () => {
            const waitMs = transitions.reserveMs()
            if (waitMs > 0) metrics.count(stateMachineArn, 'ExecutionThrottled')
            return waitMs
          },
        }),
  })
  const engineFor = (summary: ExecutionSummary): Engine =>
    createEngine({
      ...enginePorts(summary),
      definition: summary.definition,
      name: summary.machineName,
      roleArn: summary.roleArn,
    })
  const executions = createExecutions({
    journals: executionJournals,
    arnPrefix,
    now,
    engineFor,
    onStatus: execution => {
      if (execution.status !== 'RUNNING') {
        metrics.ended(
          execution.stateMachineArn,
          execution.status,
          (execution.stopMs ?? now()) - execution.startMs,
        )
      } else if (execution.redriveCount === 0) metrics.count(execution.stateMachineArn, 'ExecutionsStarted')
      options.onStatusChange?.(
        toStatusEvent(execution, { id: uuid(), account, region: region, nowMs: now() }),
      )
    },
  })
  const world: World = {
    region: region,
    account,
    now,
    uuid,
    pollMs: (options.pollSeconds ?? 60) * 1000,
    machines,
    executions,
    activities,
    taskTokens,
    mapRuns: mapRuns.all,
    metrics,
    startBucket:
      throttling.startExecution === undefined ? undefined : createTokenBucket(throttling.startExecution, now),
    enginePorts,
  }
  return world
}

function createOperations(world: World): Operations {
  return {
    ...machineOperations(world),
    ...executionOperations(world),
    ...activityOperations(world),
    ...tagOperations(world),
    ...testStateOperation(world),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
  operations: Operations,
): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  let status = 200
  let body: object
  try {
    body = await call(request, operations, AbortSignal.any([closing, gone.signal]))
  } catch (error) {
    const failure = error instanceof ApiError ? error : new ApiError('InternalFailure', String(error), 500)
    status = failure.status
    body = { __type: failure.code, message: failure.message }
  }
  const text = JSON.stringify(body)
  response
    .writeHead(status, {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': Buffer.byteLength(text),
      'x-amzn-requestid': randomUUID(),
    })
    .end(text)
}

async function call(request: IncomingMessage, operations: Operations, signal: AbortSignal): Promise<object> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxRequestBytes)
      throw new ApiError('RequestEntityTooLargeException', 'Request is too large', 413)
    chunks.push(chunk)
  }
  const operation = String(request.headers['x-amz-target'] ?? '').replace(/^AWSStepFunctions\./, '')
  const operate = Object.hasOwn(operations, operation) ? operations[operation] : undefined
  if (operate === undefined)
    throw new ApiError('UnknownOperationException', `There is no operation '${operation}'`)
  let body: unknown
  try {
    body = JSON.parse(Buffer.concat(chunks).toString() || '{}')
  } catch {
    throw new ApiError('SerializationException', 'The request is not JSON')
  }
  return operate(createParameters(body as Readonly<Record<string, unknown>>), signal)
}
