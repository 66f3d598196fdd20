import { timeoutFailure } from '../failures/state-failure.ts'
import { isPromise } from '../maybe-promise.ts'
import { OpenCall } from '../task/open-call.ts'
import type { Cancellation } from '../time/cancellation.ts'
import type { Clock } from '../time/clock.ts'
import type { Child } from './child.ts'
import type { ChildEnding } from './child-result.ts'
import type { WaitingChild } from './waiting-children.ts'

/** Is told how a call ended. */
export interface CallListener {
  readonly answered: (call: DirectCall, answer: unknown) => void
  readonly threw: (call: DirectCall, thrown: unknown) => void
  /** Its Map run has ended it; without an ending, if it was interrupted. */
  readonly ended: (call: DirectCall, ending: ChildEnding | undefined) => void
}

/** The call that is all there is to a child. */
export class DirectCall extends OpenCall implements WaitingChild {
  readonly child: Child
  readonly startMs: number
  readonly #clock: Clock
  readonly #listener: CallListener

  constructor(
    clock: Clock,
    child: Child,
    cancellation: Cancellation,
    stateName: string,
    startMs: number,
    listener: CallListener,
  ) {
    super(clock, child, cancellation, stateName, 0)
    this.child = child
    this.startMs = startMs
    this.#clock = clock
    this.#listener = listener
  }

  get index(): number {
    return this.child.index
  }

  await(answer: PromiseLike<unknown>): void {
    // Others' thenables may call back at once.
    const promise = isPromise(answer as Promise<unknown>) ? answer : Promise.resolve(answer)
    promise.then(
      value => {
        if (this.end()) this.#listener.answered(this, value)
      },
      error => {
        if (this.end()) this.#listener.threw(this, error)
      },
    )
  }

  interrupt(): void {
    this.#giveUp(undefined)
  }

  expire(): void {
    const { error, cause } = timeoutFailure()
    this.#giveUp({ error, cause, timedOut: true, startMs: this.startMs, stopMs: this.#clock.now() })
  }

  #giveUp(ending: ChildEnding | undefined): void {
    if (!this.end()) return
    this.abort()
    this.#listener.ended(this, ending)
  }
}
