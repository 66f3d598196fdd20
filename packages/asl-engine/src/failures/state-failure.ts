/** A state failed. Retry and Catch match `error`; whatever nobody catches fails the execution. */
export class StateFailure extends Error {
  override readonly name = 'StateFailure'
  readonly error: string | undefined
  override readonly cause: string | undefined
  /** States.Runtime and its like end the execution whatever the state's Retry and Catch say. */
  readonly terminal: boolean
  /** The field whose JSONata expression failed; present on every evaluation failure, '' if no field is to blame. */
  readonly evaluated: string | undefined
  /** The cause still lacks "An error occurred while executing the state …", which only the state can write. */
  readonly detail: boolean
  /** A further name that retriers and catchers may call it by. */
  readonly alias: string | undefined
  /** What the Task called raised it, not the state itself: it decides what States.ALL takes. */
  readonly ofTask: boolean

  constructor(
    error: string | undefined,
    cause: string | undefined,
    options: {
      terminal?: boolean
      evaluated?: string
      detail?: boolean
      alias?: string
      ofTask?: boolean
    } = {},
  ) {
    super(`${error ?? 'unnamed error'}: ${cause ?? ''}`)
    this.error = error
    this.cause = cause
    this.terminal = options.terminal ?? false
    this.evaluated = options.evaluated
    this.detail = options.detail ?? false
    this.alias = options.alias
    this.ofTask = options.ofTask ?? false
  }

  in(state: string, enteredEventId: number): StateFailure {
    if (!this.detail) return this
    const where = `An error occurred while executing the state '${state}' (entered at the event id #${enteredEventId}). `
    return new StateFailure(this.error, where + (this.cause ?? ''), {
      terminal: this.terminal,
      ...(this.evaluated === undefined ? {} : { evaluated: this.evaluated }),
    })
  }
}

export function runtimeFailure(cause: string): StateFailure {
  return new StateFailure('States.Runtime', cause, { terminal: true, detail: true })
}

export function evaluationFailure(cause: string, field = ''): StateFailure {
  return new StateFailure('States.QueryEvaluationError', cause, { evaluated: field, detail: true })
}

/** `ofTask`: it was the result of a task that was too large, not the input or output of the state. */
export function dataLimitFailure(subject: string, options: { ofTask?: boolean } = {}): StateFailure {
  return new StateFailure(
    'States.DataLimitExceeded',
    `The state/task '${subject}' returned a result with a size exceeding the maximum number of bytes service limit.`,
    options,
  )
}

export function timeoutFailure(): StateFailure {
  return new StateFailure('States.Timeout', undefined)
}

/** Step Functions reports a missed heartbeat as a timeout; it can be told apart by name. */
export function heartbeatFailure(): StateFailure {
  return new StateFailure('States.Timeout', undefined, { alias: 'States.HeartbeatTimeout' })
}

/** The execution, or the Parallel or Map around the state, has ended: whatever was under way stops. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}
