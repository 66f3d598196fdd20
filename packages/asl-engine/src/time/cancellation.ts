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
  const callbacks = new Set<() => void>()
  let cancelled = parent?.cancelled ?? false
  const cancel = (): void => {
    if (cancelled) return
    cancelled = true
    for (const callback of [...callbacks]) callback()
    callbacks.clear()
  }
  const detach = parent?.onCancel(cancel) ?? (() => undefined)
  return {
    get cancelled() {
      return cancelled
    },
    onCancel: callback => {
      // Never before the caller has what this returns.
      if (cancelled) queueMicrotask(callback)
      else callbacks.add(callback)
      return () => callbacks.delete(callback)
    },
    cancel,
    detach,
  }
}
