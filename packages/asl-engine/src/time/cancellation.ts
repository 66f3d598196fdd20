/** Tells a tree of threads to stop. Lighter than an AbortSignal, of which functions get one when they ask. */
export interface Cancellation {
  readonly cancelled: boolean
  /** Calls back once on cancellation; the returned function takes the callback away. */
  readonly onCancel: (callback: () => void) => () => void
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
  readonly #leaveParent: (() => void) | undefined

  constructor(parent: Cancellation | undefined) {
    this.cancelled = parent?.cancelled ?? false
    this.#leaveParent = parent?.onCancel(() => this.cancel())
  }

  onCancel(callback: () => void): () => void {
    // Never before the caller has what this returns.
    if (this.cancelled) queueMicrotask(callback)
    else this.#callbacks.add(callback)
    return () => this.#callbacks.delete(callback)
  }

  cancel(): void {
    if (this.cancelled) return
    this.cancelled = true
    for (const callback of [...this.#callbacks]) callback()
    this.#callbacks.clear()
  }

  detach(): void {
    this.#leaveParent?.()
  }
}
