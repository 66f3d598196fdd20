import type { Thread } from '../execution/thread.ts'
import { Interrupted, timeoutFailure } from '../failures/state-failure.ts'
import { type Json, throughJson } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { type CancellationSource, createCancellation } from '../time/cancellation.ts'
import { sleepOn } from '../time/clock.ts'
import type { Outcome } from './outcome.ts'
import type { CallContext } from './ports.ts'
import type { Terms } from './terms.ts'

/** One call of user code. A class, because a getter in an object literal costs more than all the rest of a call. */
export class Call implements CallContext {
  readonly thread: Thread
  readonly executionArn: string
  readonly stateMachineArn: string
  readonly stateName: string
  readonly retryCount: number
  #release: () => void
  #isOver = false
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

  /** Whether it had not ended before. A function that was given up must not hold the clock when it would have woken. */
  end(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.#release()
    this.#sleeps?.cancel()
    this.#sleeps?.detach()
    return true
  }
}

/** Calls user code with the clock held, within the state's timeout. An answer that is there at once is not awaited. */
export function callOut<Result>(
  thread: Thread,
  terms: Terms,
  call: (context: CallContext) => unknown,
  outcome: Outcome<Result>,
): MaybePromise<Result> {
  const context = new Call(thread)
  let answer: unknown
  try {
    answer = call(context)
  } catch (error) {
    context.end()
    return outcome.fail(error)
  }
  if (isThenable(answer)) return within(context, terms.timeoutMs, answer, outcome)
  context.end()
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

/** What becomes of the answer, unless the timeout or a cancellation comes before it. */
function within<Result>(
  call: Call,
  timeoutMs: number | undefined,
  answer: PromiseLike<unknown>,
  outcome: Outcome<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const pending = new PendingCall(call, outcome, resolve, reject)
    pending.begin(timeoutMs)
    answer.then(
      value => pending.succeed(value),
      error => pending.fail(error),
    )
  })
}

/** A call whose answer is still to come. */
export class PendingCall<Result> {
  readonly #call: Call
  readonly #outcome: Outcome<Result>
  readonly #resolve: (result: MaybePromise<Result>) => void
  readonly #reject: (reason: unknown) => void
  readonly #interrupt = (): void => this.#giveUp(new Interrupted())
  #stopTimer: (() => void) | undefined

  constructor(
    call: Call,
    outcome: Outcome<Result>,
    resolve: (result: MaybePromise<Result>) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#call = call
    this.#outcome = outcome
    this.#resolve = resolve
    this.#reject = reject
  }

  begin(timeoutMs: number | undefined): void {
    const { execution, cancellation } = this.#call.thread
    const { clock } = execution.engine
    cancellation.listen(this.#interrupt)
    if (timeoutMs !== undefined)
      this.#stopTimer = clock.at(clock.now() + timeoutMs, () => this.#giveUp(timeoutFailure()))
  }

  succeed(answer: unknown): void {
    if (!this.#end()) return
    try {
      this.#resolve(take(answer, this.#outcome))
    } catch (error) {
      this.#reject(error)
    }
  }

  fail(thrown: unknown): void {
    if (!this.#end()) return
    try {
      this.#outcome.fail(thrown)
    } catch (error) {
      this.#reject(error)
    }
  }

  #giveUp(reason: Error): void {
    this.fail(reason)
    this.#call.abort()
  }

  #end(): boolean {
    if (!this.#call.end()) return false
    this.#call.thread.cancellation.ignore(this.#interrupt)
    this.#stopTimer?.()
    return true
  }
}
