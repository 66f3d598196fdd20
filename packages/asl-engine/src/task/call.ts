import type { Thread } from '../execution/thread.ts'
import { Interrupted, timeoutFailure } from '../failures/state-failure.ts'
import { type Json, throughJson } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Interruptible } from '../time/cancellation.ts'
import { isThenable, OpenCall } from './open-call.ts'
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

/** One call of user code by a thread. */
export class Call<Result> extends OpenCall implements Interruptible {
  readonly #thread: Thread
  readonly #outcome: Outcome<Result>
  #resolve: ((result: MaybePromise<Result>) => void) | undefined
  #reject: ((reason: unknown) => void) | undefined
  #stopTimer: (() => void) | undefined

  constructor(thread: Thread, outcome: Outcome<Result>) {
    const { identity, engine } = thread.execution
    super(engine.clock, identity, thread.cancellation, thread.stateName, thread.retryCount, thread.taskToken)
    this.#thread = thread
    this.#outcome = outcome
  }

  /** What becomes of the answer, unless the timeout or a cancellation comes before it. */
  await(answer: PromiseLike<unknown>, timeoutMs: number | undefined): Promise<Result> {
    const { execution, cancellation } = this.#thread
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

  override end(): boolean {
    if (!super.end()) return false
    this.#thread.cancellation.ignore(this)
    this.#stopTimer?.()
    return true
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
    this.abort()
  }
}
