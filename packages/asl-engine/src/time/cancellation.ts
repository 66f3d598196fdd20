/** Tells a tree of threads to stop. Lighter than an AbortSignal, of which functions get one when they ask. */
export interface Cancellation {
  readonly cancelled: boolean
  /** Calls back once on cancellation. */
  readonly listen: (callback: () => void) => void
  /** Takes the callback away. */
  readonly ignore: (callback: () => void) => void
}

export interface CancellationSource extends Cancellation {
  readonly cancel: () => void
  /** Stops listening to the parent. */
  readonly detach: () => void
}

export function createCancellation(parent?: Cancellation): CancellationSource {
  return new Tree(parent)
}

/** A class: an object with a getter of its own has a hidden class of its own, which every reader has to learn. */
class Tree implements CancellationSource {
  cancelled: boolean
  readonly #callbacks = new Set<() => void>()
  readonly #parent: Cancellation | undefined
  readonly cancel = (): void => {
    if (this.cancelled) return
    this.cancelled = true
    for (const callback of [...this.#callbacks]) callback()
    this.#callbacks.clear()
  }

  constructor(parent: Cancellation | undefined) {
    this.cancelled = parent?.cancelled ?? false
    this.#parent = parent
    parent?.listen(this.cancel)
  }

  listen(callback: () => void): void {
    // Never before the caller is done with what it is at.
    if (this.cancelled) queueMicrotask(callback)
    else this.#callbacks.add(callback)
  }

  ignore(callback: () => void): void {
    this.#callbacks.delete(callback)
  }

  detach(): void {
    this.#parent?.ignore(this.cancel)
  }
}
