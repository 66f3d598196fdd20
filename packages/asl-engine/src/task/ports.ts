import type { Json } from '../json.ts'

/** What a function or a service adapter may know about the call. */
export interface CallContext {
  readonly executionArn: string
  readonly stateMachineArn: string
  readonly stateName: string
  /** 0 at first, 1 at the first retry. */
  readonly retryCount: number
  /** Aborts at the state's timeout, and when the execution is stopped. */
  readonly signal: AbortSignal
  /** Waits on the engine's clock: virtual time may jump meanwhile, which it never does during any other work. */
  readonly sleep: (ms: number) => Promise<void>
  /** The token that the state waits for; `undefined` unless it waits for one. */
  readonly taskToken: string | undefined
}

/** Runs a Lambda function. What it throws is reported as Lambda reports it: `error.name` and a JSON cause. */
export type InvokeFunction = (functionArn: string, payload: Json, context: CallContext) => unknown

export interface ServiceCall extends CallContext {
  /** `dynamodb`, or `aws-sdk:dynamodb` for an SDK integration. */
  readonly service: string
  readonly action: string
  readonly pattern: 'request' | 'sync' | 'sync:2' | 'waitForTaskToken'
  readonly parameters: Json
  readonly taskToken: string
  /** For `.sync`: the job has been started, and this is what starting it answered. */
  readonly submitted: (response: Json) => void
  /** For `.sync`: what was submitted before the execution was interrupted. Wait for that job, and start none. */
  readonly before?: Json
}

/**
 * Answers a service integration. With `waitForTaskToken` the answer is only the submission; the result
 * comes through the task token.
 */
export type CallService = (call: ServiceCall) => unknown

/** Thrown by functions and adapters to fail a task under exactly this name and cause. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure'
  readonly error: string
  override readonly cause: string | undefined
  constructor(error: string, cause?: string) {
    super(`${error}: ${cause ?? ''}`)
    this.error = error
    this.cause = cause
  }
}

/** Hands tasks to activity workers. */
export interface ActivityPort {
  readonly exists: (activityArn: string) => boolean
  readonly schedule: (task: ScheduledActivity) => void
}

export interface ScheduledActivity
  extends Pick<CallContext, 'executionArn' | 'stateMachineArn' | 'stateName' | 'retryCount'> {
  readonly activityArn: string
  readonly taskToken: string
  readonly input: string
}
