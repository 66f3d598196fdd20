import type { CallService, ObjectStorePort } from '@stepwright/asl-engine'
import type { TokenBucketOptions } from './api/token-bucket.ts'
import type { ExecutionLogOptions } from './executions/execution-log.ts'
import type { StatusChangeEvent } from './executions/status-event.ts'
import type { FunctionCallByState, RegisteredFunction } from './functions/function-host.ts'
import type { HttpConnections } from './functions/integrations/http-invoke.ts'
import type { IntegrationEndpoints } from './functions/integrations/sdk-clients.ts'
import type { StandIn } from './functions/stand-ins/call-stand-in.ts'
import type { StepFunctionsGuard } from './guard.ts'
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
  /** Answers for services that do not run here, by what state machines call: `glue:startJobRun`. */
  readonly standIns?: Readonly<Record<string, StandIn>>
  /** Where the services are that state machines call: `{ dynamodb: { endpoint } }`. Each needs its client of the AWS SDK. @default none */
  readonly endpoints?: IntegrationEndpoints
  /** What connections of `http:invoke` add to requests, by name or ARN. @default nothing */
  readonly connections?: HttpConnections
  /** Answers service integrations other than Lambda, Step Functions itself and those that have a stand-in. */
  readonly services?: CallService
  /** Where Distributed Maps read and write. @default an empty memory */
  readonly objects?: ObjectStorePort
  /** Decides who may do what. @default everybody may do everything */
  readonly guard?: StepFunctionsGuard
  /** Hears of every change of an execution's status, as EventBridge would. */
  readonly onStatusChange?: (event: StatusChangeEvent) => void
  /** Where executions are logged, as AWS does in CloudWatch. @default nowhere */
  readonly executionLog?: ExecutionLogOptions
  /** Keeps the latest 1,000 Express executions in memory: DescribeExecution and GetExecutionHistory know them, which AWS's do not. @default false */
  readonly expressHistory?: boolean
  /** Hears of every call of a function by a state, before it is called. */
  readonly onFunctionCall?: (call: FunctionCallByState) => void
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
  /** Chooses between the versions of an alias. @default Math.random */
  readonly random?: () => number
  /** @default Date.now */
  readonly now?: () => number
}
