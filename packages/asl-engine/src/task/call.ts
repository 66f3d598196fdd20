import type { Thread } from '../execution/thread.ts'
import { Interrupted, timeoutFailure } from '../failures/state-failure.ts'
import { type Json, throughJson } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { type CancellationSource, createCancellation, type Interruptible } from '../time/cancellation.ts'
import { sleepOn } from '../time/clock.ts'
import type { Outcome } from './outcome.ts'
import type { CallContext } from './ports.ts'

/** Calls user code with the clock held, within the time given. An answer that is there at once is not awaited. */
export function callOut<Result>(
  thread: Thread,
  timeoutMs: number | undefined,
  invoke: (context: CallContext) => unknown,
  outcome: Outcome<Result>,
): MaybePromise<Result> {
  const call = new Call(thread, outcome)
  let answer: unknown
  try {
    answer = invoke(call)
  } catch (error) {
    call.end()
    return outcome.fail(error)
  }
  if (isThenable(answer)) return call.await(answer, timeoutMs)
  call.end()
  return take(answer, outcome)
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** An answer that cannot be written as JSON is a failure of the call. */
function take<Result>(answer: unknown, outcome: Outcome<Result>): MaybePromise<Result> {
  let json: Json
  try {
    json = throughJson(answer)
  } catch (error) {
    return outcome.fail(error)
  }
  return outcome.succeed(json)
}

/** One call of user code. A class, because a getter in an object literal costs more than all the rest of a call. */
export class Call<Result> implements CallContext, Interruptible {
  readonly thread: Thread
  readonly stateName: string
  readonly retryCount: number
  readonly #outcome: Outcome<Result>
  #resolve: ((result: MaybePromise<Result>) => void) | undefined
  #reject: ((reason: unknown) => void) | undefined
  #stopTimer: (() => void) | undefined
  #release: () => void
  #isOver = false
  #sleeping = 0
  #controller: AbortController | undefined
  #sleeps: CancellationSource | undefined

  constructor(thread: Thread, outcome: Outcome<Result>) {
    const { execution } = thread
    this.thread = thread
    this.stateName = thread.stateName
    this.retryCount = thread.retryCount
    this.#outcome = outcome
    this.#release = execution.engine.clock.hold()
  }

  get executionArn(): string {
    return this.thread.execution.identity.arn
  }

  get stateMachineArn(): string {
    return this.thread.execution.identity.stateMachineArn
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

  /** What becomes of the answer, unless the timeout or a cancellation comes before it. */
  await(answer: PromiseLike<unknown>, timeoutMs: number | undefined): Promise<Result> {
    const { execution, cancellation } = this.thread
    const { clock } = execution.engine
    const result = new Promise<Result>((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    cancellation.listen(this)
    if (timeoutMs !== undefined)
      this.#stopTimer = clock.at(clock.now() + timeoutMs, () => this.#giveUp(timeoutFailure()))
    answer.then(
      value => this.#succeed(value),
      error => this.#fail(error),
    )
    return result
  }

  interrupt(): void {
    this.#giveUp(new Interrupted())
  }

  #succeed(answer: unknown): void {
    if (!this.end()) return
    try {
      this.#resolve?.(take(answer, this.#outcome))
    } catch (error) {
      this.#reject?.(error)
    }
  }

  #fail(thrown: unknown): void {
    if (!this.end()) return
    try {
      this.#outcome.fail(thrown)
    } catch (error) {
      this.#reject?.(error)
    }
  }

  #giveUp(reason: Error): void {
    this.#fail(reason)
    this.#controller?.abort()
  }

  /** Whether it had not ended before. A function that was given up must not hold the clock when it would have woken. */
  end(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.thread.cancellation.ignore(this)
    this.#stopTimer?.()
    this.#release()
    this.#sleeps?.cancel()
    this.#sleeps?.detach()
    return true
  }
}
