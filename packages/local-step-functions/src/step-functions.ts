import { type BilledUsage, type HistoryEvent, toHistoryEvent } from '@stepwright/asl-engine'
import { createJsonProtocol, startLoopbackServer } from '@stepwright/local-server'
import { createServiceOperations } from './api/operations.ts'
import { createWorld } from './create-world.ts'
import type { ListedChild } from './executions/map-run-children.ts'
import type { StateMachineMetrics } from './executions/metrics.ts'
import type { StepFunctionsOptions } from './step-functions-options.ts'

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
  /** All events of a Standard execution after the first `after` ones, at once: GetExecutionHistory gives a thousand at a time. */
  readonly history: (executionArn: string, after?: number) => readonly HistoryEvent[]
  /**
   * The children of a Distributed Map's run that have ended and have one of the texts, in JSON, in their input, output or
   * events, so many at most.
   */
  readonly childrenWithText: (
    mapRunArn: string,
    texts: readonly string[],
    max: number,
  ) => readonly MapRunChildSummary[]
  /** What the children of a Distributed Map's run used so far: hundreds of thousands would have to be listed. */
  readonly mapRunUsage: (mapRunArn: string) => BilledUsage
  /** After a start with `paused`: runs what waits, and goes on with what was running when the last server ended. */
  run(): void
  /** Stops executions where they are, waits for functions that are working, then cuts all connections. What was running goes on when a server starts on the same directory. */
  stop(): Promise<void>
}

/** A child execution of a Distributed Map, as lists show it. */
export type MapRunChildSummary = Pick<
  ListedChild,
  'executionArn' | 'name' | 'stateMachineArn' | 'status' | 'startMs' | 'stopMs' | 'redriveCount'
>

const region = 'us-east-1'
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }

/** Starts the Step Functions API in this process, on loopback. */
export async function startStepFunctions(options: StepFunctionsOptions = {}): Promise<StepFunctions> {
  const { world, functionsAtRest, closeIntegrations } = createWorld(options, region)
  const answer = createJsonProtocol({
    target: 'AWSStepFunctions',
    version: '1.0',
    operations: createServiceOperations(world),
    refusalOf: options.guard?.ofRequest,
  })
  const server = await startLoopbackServer(answer, options.port ?? 0)
  if (options.paused !== true) world.executions.run()
  let stopped: Promise<void> | undefined
  const stopAll = async (): Promise<void> => {
    world.mapRuns.suspend()
    await Promise.all([world.executions.suspend(), world.express.stop()])
    await functionsAtRest((options.graceSeconds ?? 2) * 1000)
    closeIntegrations()
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
    history: (executionArn, after = 0) =>
      world.executions.history(executionArn).slice(after).map(toHistoryEvent),
    childrenWithText: world.mapRuns.children.withText,
    mapRunUsage: world.mapRuns.children.usageOf,
    run: world.executions.run,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
