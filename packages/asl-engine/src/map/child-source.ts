import type { MaybePromise } from '../maybe-promise.ts'
import type { Clock } from '../time/clock.ts'
import { Child, type Family } from './child.ts'
import type { ChildInputs } from './item-batcher.ts'

/** Hands out the children one by one to whichever worker asks; all wait together for the next list. */
export class ChildSource {
  readonly #family: Family
  readonly #lists: AsyncGenerator<ChildInputs>
  readonly #clock: Clock
  #list: ChildInputs = { inputs: [] }
  #at = 0
  #index = 0
  #filling: Promise<void> | undefined
  #isEmpty = false

  constructor(family: Family, lists: AsyncGenerator<ChildInputs>, clock: Clock) {
    this.#family = family
    this.#lists = lists
    this.#clock = clock
  }

  /** `undefined` if there is none any more. */
  next(): MaybePromise<Child | undefined> {
    return this.atHand() ?? this.#wait()
  }

  async close(): Promise<void> {
    await this.#lists.return(undefined)
  }

  /** `undefined` if the next one has to be waited for. */
  atHand(): Child | undefined {
    const { inputs, itemCounts } = this.#list
    const at = this.#at
    const input = inputs[at]
    if (input === undefined) return undefined
    const index = this.#index
    this.#at += 1
    this.#index += 1
    return new Child(this.#family, index, input, itemCounts?.[at] ?? 1)
  }

  async #wait(): Promise<Child | undefined> {
    while (!this.#isEmpty) {
      this.#filling ??= this.#fill()
      await this.#filling
      const child = this.atHand()
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
