import type { Json } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Clock } from '../time/clock.ts'
import type { ChildInputs } from './item-batcher.ts'

/** A child that is to be run. */
export interface NextChild {
  readonly input: Json
  readonly itemCount: number
  /** Which of the run's children it is, from 0. */
  readonly index: number
}

/** Hands out the children one by one to whichever worker asks; all wait together for the next list. */
export class ChildSource {
  readonly #lists: AsyncGenerator<ChildInputs>
  readonly #clock: Clock
  #list: ChildInputs = { inputs: [] }
  #at = 0
  #index = 0
  #filling: Promise<void> | undefined
  #isEmpty = false

  constructor(lists: AsyncGenerator<ChildInputs>, clock: Clock) {
    this.#lists = lists
    this.#clock = clock
  }

  /** `undefined` if there is none any more. */
  next(): MaybePromise<NextChild | undefined> {
    return this.#take() ?? this.#wait()
  }

  async close(): Promise<void> {
    await this.#lists.return(undefined)
  }

  #take(): NextChild | undefined {
    const { inputs, itemCounts } = this.#list
    const at = this.#at
    const input = inputs[at]
    if (input === undefined) return undefined
    const index = this.#index
    this.#at += 1
    this.#index += 1
    return { input, itemCount: itemCounts?.[at] ?? 1, index }
  }

  async #wait(): Promise<NextChild | undefined> {
    while (!this.#isEmpty) {
      this.#filling ??= this.#fill()
      await this.#filling
      const child = this.#take()
      if (child !== undefined) return child
    }
    return undefined
  }

  async #fill(): Promise<void> {
    const release = this.#clock.hold()
    try {
      const { value, done } = await this.#lists.next()
      this.#list = done ? { inputs: [] } : value
      this.#at = 0
      this.#isEmpty = done === true
      this.#filling = undefined
    } finally {
      release()
    }
  }
}
