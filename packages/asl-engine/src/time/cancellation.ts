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
  /** Mostly there is one listener, for which a set would be too much. */
  #listener: Interruptible | undefined
  #others: Set<Interruptible> | undefined

  constructor(parent: Cancellation | undefined) {
    this.cancelled = parent?.cancelled ?? false
    this.#parent = parent
    parent?.listen(this)
  }

  listen(listener: Interruptible): void {
    // Never before the caller is done with what it is at.
    if (this.cancelled) queueMicrotask(() => listener.interrupt())
    else if (this.#listener === undefined && !this.#others?.size) this.#listener = listener
    else {
      this.#others ??= new Set()
      this.#others.add(listener)
    }
  }

  ignore(listener: Interruptible): void {
    if (this.#listener === listener) this.#listener = undefined
    else this.#others?.delete(listener)
  }

  interrupt(): void {
    this.cancel()
  }

  cancel(): void {
    if (this.cancelled) return
    this.cancelled = true
    const listener = this.#listener
    const others = [...(this.#others ?? [])]
    this.#listener = undefined
    this.#others = undefined
    listener?.interrupt()
    for (const other of others) other.interrupt()
  }

  detach(): void {
    this.#parent?.ignore(this)
  }
}
