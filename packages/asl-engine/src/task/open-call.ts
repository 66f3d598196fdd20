import type { ExecutionIdentity } from '../execution/execution.ts'
import { type Cancellation, type CancellationSource, createCancellation } from '../time/cancellation.ts'
import { type Clock, sleepOn } from '../time/clock.ts'
import type { CallContext } from './ports.ts'

/**
 * A call of user code under way: what the code may know of it, with the clock held meanwhile. A class, because a getter in
 * an object literal costs more than all the rest of a call.
 */
export class OpenCall implements CallContext {
  readonly stateName: string
  readonly retryCount: number
  readonly taskToken: string | undefined
  readonly #identity: Pick<ExecutionIdentity, 'arn' | 'stateMachineArn'>
  readonly #clock: Clock
  readonly #cancellation: Cancellation
  #release: () => void
  #isOver = false
  #sleeping = 0
  #controller: AbortController | undefined
  #sleeps: CancellationSource | undefined

  constructor(
    clock: Clock,
    identity: Pick<ExecutionIdentity, 'arn' | 'stateMachineArn'>,
    cancellation: Cancellation,
    stateName: string,
    retryCount: number,
    taskToken: string | undefined,
  ) {
    this.stateName = stateName
    this.retryCount = retryCount
    this.taskToken = taskToken
    this.#identity = identity
    this.#clock = clock
    this.#cancellation = cancellation
    this.#release = clock.hold()
  }

  get executionArn(): string {
    return this.#identity.arn
  }

  get stateMachineArn(): string {
    return this.#identity.stateMachineArn
  }

  get sleep(): (ms: number) => Promise<void> {
    return ms => this.#sleepFor(ms)
  }

  #sleepFor(ms: number): Promise<void> {
    // Of sleeps side by side each lets time move: the function may be waiting for all of them.
    this.#release()
    this.#sleeping += 1
    this.#sleeps ??= createCancellation(this.#cancellation)
    const slept = sleepOn(this.#clock, ms, this.#sleeps).then(() => {
      this.#sleeping -= 1
      if (this.#sleeping === 0) this.#release = this.#clock.hold()
    })
    // Nobody may be waiting for it any more when the call is given up.
    slept.catch(() => undefined)
    return slept
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }

  /** Whether it had not ended before. A function that was given up must not hold the clock when it would have woken. */
  end(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.#release()
    this.#sleeps?.cancel()
    this.#sleeps?.detach()
    return true
  }

  /** Tells the code that nobody waits for its answer any more. */
  abort(): void {
    this.#controller?.abort()
  }
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
