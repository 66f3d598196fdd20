import type { CallService, ObjectStorePort } from '@stepwright/asl-engine'
import { startLoopbackServer } from '@stepwright/local-server'
import { createAnswer } from './api/answer.ts'
import type { TokenBucketOptions } from './api/token-bucket.ts'
import { createWorld } from './create-world.ts'
import type { StateMachineMetrics } from './executions/metrics.ts'
import type { StatusChangeEvent } from './executions/status-event.ts'
import type { RegisteredFunction } from './functions/function-host.ts'
import type { Retention } from './storage/execution-store.ts'

export interface StepFunctionsOptions {
  /** @default a free one */
  readonly port?: number
  /** Where state machines, activities and executions are kept; without it they last as long as the server. */
  readonly dataDirectory?: string
  /** Runs nothing until `run()` is called: what is started waits. @default false */
  readonly paused?: boolean
  /** The Lambda functions that tasks call, by name or ARN. */
  readonly functions?: Readonly<Record<string, RegisteredFunction>>
  /** Answers service integrations other than Lambda and Step Functions itself. */
  readonly services?: CallService
  /** Where Distributed Maps read and write. @default an empty memory */
  readonly objects?: ObjectStorePort
  /** Hears of every change of an execution's status, as EventBridge would. */
  readonly onStatusChange?: (event: StatusChangeEvent) => void
  /** Hears of what cannot be kept or read, which ends no more than one execution. @default a warning of the process */
  readonly onProblem?: (message: string) => void
  /**
   * What waits for the disk: every event, every state (what happened up to a call or an end), or nothing. In any case
   * a killed process loses nothing; what waits for the disk also outlives a loss of power. @default 'never'
   */
  readonly sync?: 'event' | 'state' | 'never'
  readonly retention?: Retention
  /** Throttles as AWS does; absent means not at all. */
  readonly throttling?: {
    readonly startExecution?: TokenBucketOptions
    readonly stateTransition?: TokenBucketOptions
  }
  /** How long GetActivityTask waits for a task. @default 60 */
  readonly pollSeconds?: number
  /** How long `stop()` waits for functions that are working. @default 2 */
  readonly graceSeconds?: number
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
  /** After a start with `paused`: runs what waits, and goes on with what was running when the last server ended. */
  run(): void
  /** Stops executions where they are, waits for functions that are working, then cuts all connections. What was running goes on when a server starts on the same directory. */
  stop(): Promise<void>
}

const region = 'us-east-1'
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }

/** Starts the Step Functions API in this process, on loopback. */
export async function startStepFunctions(options: StepFunctionsOptions = {}): Promise<StepFunctions> {
  const { world, functionsAtRest } = createWorld(options, region)
  const server = await startLoopbackServer(createAnswer(world), options.port ?? 0)
  if (options.paused !== true) world.executions.run()
  let stopped: Promise<void> | undefined
  const stopAll = async (): Promise<void> => {
    await world.executions.suspend()
    await functionsAtRest((options.graceSeconds ?? 2) * 1000)
    await server.close()
  }
  const stop = (): Promise<void> => {
    stopped ??= stopAll()
    return stopped
  }
  return {
    endpoint: server.endpoint,
    region,
    credentials,
    clientConfig: { endpoint: server.endpoint, region, credentials, disableHostPrefix: true },
    metrics: world.metrics.of,
    run: world.executions.run,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
