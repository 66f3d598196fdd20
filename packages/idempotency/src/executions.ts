/**
 * Where state machines are executed. A name is taken once: whoever starts an execution under a name that is in use
 * starts nothing, and is told so instead of failing.
 */
export interface Executions {
  /** @throws DataValidationError for a name or an input that no execution can have */
  start(request: StartRequest, options?: ExecutionCallOptions): Promise<StartedExecution>
  /** Ends a running execution as ABORTED; one that has ended, or never was, is left as it is. */
  stop(request: StopRequest, options?: ExecutionCallOptions): Promise<void>
  /** Undefined if there is no such execution. */
  describe(executionArn: string, options?: ExecutionCallOptions): Promise<Execution | undefined>
}

export interface StartRequest {
  readonly stateMachineArn: string
  /** At most 80 letters, digits, `-` and `_`: the same for the same work, so that it happens once. */
  readonly name: string
  /** Any JSON value. */
  readonly input: unknown
}

export interface StartedExecution {
  readonly executionArn: string
  /**
   * False if the name was taken by an execution that has ended, or has another input. Step Functions answers a start
   * that is repeated while its execution runs as it answered the first.
   */
  readonly started: boolean
}

export interface StopRequest {
  readonly executionArn: string
  readonly error?: string | undefined
  readonly cause?: string | undefined
}

export interface Execution {
  readonly executionArn: string
  readonly name: string
  readonly status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED' | 'PENDING_REDRIVE'
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number
  readonly stoppedAtMs?: number
  /** What it was started with. */
  readonly input?: unknown
  /** Of one that succeeded. */
  readonly output?: unknown
  /** Of one that did not. */
  readonly error?: string
  readonly cause?: string
}

export interface ExecutionCallOptions {
  readonly signal?: AbortSignal
}
