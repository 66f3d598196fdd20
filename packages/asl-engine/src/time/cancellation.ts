/** Something under way that a cancellation stops. */
export interface Interruptible {
  readonly interrupt: () => void
}

/** Tells a tree of threads to stop. Lighter than an AbortSignal, of which functions get one when they ask. */
export interface Cancellation {
  readonly cancelled: boolean
  /** Interrupts it, once, on cancellation. */
  readonly listen: (listener: Interruptible) => void
  readonly ignore: (listener: Interruptible) => void
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
class Tree implements CancellationSource, Interruptible {
  cancelled: boolean
  readonly #parent: Cancellation | undefined
  readonly #listeners = new Set<Interruptible>()

  constructor(parent: Cancellation | undefined) {
    this.cancelled = parent?.cancelled ?? false
    this.#parent = parent
    parent?.listen(this)
  }

  listen(listener: Interruptible): void {
    // Never before the caller is done with what it is at.
    if (this.cancelled) queueMicrotask(() => listener.interrupt())
    else this.#listeners.add(listener)
  }

  ignore(listener: Interruptible): void {
    this.#listeners.delete(listener)
  }

  interrupt(): void {
    this.cancel()
  }

  cancel(): void {
    if (this.cancelled) return
    this.cancelled = true
    for (const listener of [...this.#listeners]) listener.interrupt()
    this.#listeners.clear()
  }

  detach(): void {
    this.#parent?.ignore(this)
  }
}
