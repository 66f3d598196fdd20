import type { Thread } from '../execution/thread.ts'
import { heartbeatFailure, Interrupted, StateFailure, timeoutFailure } from '../failures/state-failure.ts'
import { type Json, throughJson } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { type CancellationSource, createCancellation } from '../time/cancellation.ts'
import { sleepOn } from '../time/clock.ts'
import { type CallContext, TaskFailure } from './ports.ts'

/** How a task is to be run. */
export interface Terms {
  readonly timeoutMs: number | undefined
  readonly heartbeatMs: number | undefined
  /** Whose rights the task borrows; recorded, not enforced. */
  readonly roleArn: string | undefined
}

/** One call of user code. A class, because a getter in an object literal costs more than all the rest of a call. */
class Call implements CallContext {
  readonly thread: Thread
  readonly executionArn: string
  readonly stateMachineArn: string
  readonly stateName: string
  readonly retryCount: number
  #release: () => void
  #sleeping = 0
  #controller: AbortController | undefined
  #sleeps: CancellationSource | undefined

  constructor(thread: Thread) {
    const { clock } = thread.execution.engine
    this.thread = thread
    this.executionArn = thread.execution.arn
    this.stateMachineArn = thread.execution.stateMachineArn
    this.stateName = thread.stateName
    this.retryCount = thread.retryCount
    this.#release = clock.hold()
  }

  get sleep(): (ms: number) => Promise<void> {
    return ms => this.#sleepFor(ms)
  }

  #sleepFor(ms: number): Promise<void> {
    const { execution, cancellation } = this.thread
    const { clock } = execution.engine
    // Of sleeps side by side each lets time move: the function may be waiting for all of them.
    this.#release()
    this.#sleeping += 1
    this.#sleeps ??= createCancellation(cancellation)
    const slept = sleepOn(clock, ms, this.#sleeps).then(() => {
      this.#sleeping -= 1
      if (this.#sleeping === 0) this.#release = clock.hold()
    })
    // Nobody may be waiting for it any more when the call is given up.
    slept.catch(() => undefined)
    return slept
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }

  abort(): void {
    this.#controller?.abort()
  }

  /** A function that was given up must not hold the clock when it would have woken. */
  end(): void {
    this.#release()
    this.#sleeps?.cancel()
    this.#sleeps?.detach()
  }
}

/** Calls user code with the clock held, within the state's timeout. An answer that is there at once is not awaited. */
export function callOut(
  thread: Thread,
  terms: Terms,
  call: (context: CallContext) => unknown,
): MaybePromise<Json> {
  const context = new Call(thread)
  let answer: unknown
  try {
    answer = call(context)
  } catch (error) {
    context.end()
    throw error
  }
  if (isThenable(answer)) return within(context, terms, answer)
  context.end()
  return throughJson(answer)
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** The answer, unless the timeout or a cancellation comes before it. */
function within(call: Call, { timeoutMs }: Terms, answer: PromiseLike<unknown>): Promise<Json> {
  return new Promise((resolve, reject) => {
    const { execution, cancellation } = call.thread
    const { clock } = execution.engine
    const settle = (): void => {
      forget()
      stopTimer?.()
      call.end()
    }
    const giveUp = (reason: Error): void => {
      settle()
      call.abort()
      reject(reason)
    }
    const forget = cancellation.onCancel(() => giveUp(new Interrupted()))
    const stopTimer =
      timeoutMs === undefined ? undefined : clock.at(clock.now() + timeoutMs, () => giveUp(timeoutFailure()))
    answer.then(
      value => {
        settle()
        try {
          resolve(throughJson(value))
        } catch (error) {
          reject(error)
        }
      },
      error => {
        settle()
        reject(error)
      },
    )
  })
}

export interface TokenWait {
  /** When the task was scheduled, which its timeout counts from. @default now */
  readonly scheduledMs: number | undefined
  /** Heartbeats are due from now on, or only once a worker has started. */
  readonly beatsFrom: 'now' | 'start'
  readonly onStart?: (workerName: string | undefined) => void
}

/** Waits until somebody reports on the token. The clock is free to move meanwhile. */
export function awaitToken(
  thread: Thread,
  token: string,
  { timeoutMs, heartbeatMs }: Terms,
  { scheduledMs, beatsFrom, onStart }: TokenWait,
): { readonly result: Promise<Json>; readonly close: () => void } {
  const { clock, taskTokens } = thread.execution.engine
  const endings: (() => void)[] = [() => taskTokens.close(token)]
  const close = (): void => {
    for (const end of endings.splice(0)) end()
    stopHeartbeat()
  }
  let stopHeartbeat: () => void = () => undefined
  const result = new Promise<Json>((resolve, reject) => {
    const fail = (error: unknown): void => {
      close()
      reject(error)
    }
    const beat = (): void => {
      stopHeartbeat()
      if (heartbeatMs !== undefined)
        stopHeartbeat = clock.at(clock.now() + heartbeatMs, () => fail(heartbeatFailure()))
    }
    if (timeoutMs !== undefined) {
      const deadlineMs = (scheduledMs ?? clock.now()) + timeoutMs
      endings.push(clock.at(deadlineMs, () => fail(timeoutFailure())))
    }
    endings.push(thread.cancellation.onCancel(() => fail(new Interrupted())))
    if (beatsFrom === 'now') beat()
    taskTokens.open(token, {
      succeed: output => {
        close()
        resolve(output)
      },
      fail,
      beat,
      start: workerName => {
        onStart?.(workerName)
        beat()
      },
    })
  })
  return { result, close }
}

/** How Step Functions names what a Lambda function threw. */
export function functionFailure(thrown: unknown): unknown {
  if (thrown instanceof StateFailure || thrown instanceof Interrupted) return thrown
  if (thrown instanceof TaskFailure) return new StateFailure(thrown.error, thrown.cause)
  const isError = thrown instanceof Error
  const errorType = isError ? thrown.name : typeof thrown
  const errorMessage = isError ? thrown.message : String(thrown)
  const trace = isError ? (thrown.stack ?? '').split('\n') : []
  return new StateFailure(errorType, JSON.stringify({ errorType, errorMessage, trace }))
}

/** How Step Functions names what a service integration threw. */
export function serviceFailure(thrown: unknown): unknown {
  if (thrown instanceof StateFailure || thrown instanceof Interrupted) return thrown
  if (thrown instanceof TaskFailure) return new StateFailure(thrown.error, thrown.cause)
  if (thrown instanceof Error) return new StateFailure(thrown.name, thrown.message)
  return new StateFailure(typeof thrown, String(thrown))
}
