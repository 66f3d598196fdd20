import { type Sleep, sleep as sleepFor } from '@stepwright/errors/retry'

export interface CoalescingWriterOptions<T> {
  readonly write: (value: T) => Promise<void>
  /** At most one write starts in this time. */
  readonly intervalMs: number
  /** A value whose write failed is written again after the interval, unless a newer one replaces it. */
  readonly onError: (error: unknown) => void
  readonly now?: () => number
  readonly sleep?: Sleep
}

export interface CoalescingWriter<T> {
  /** Takes the place of a value that waits to be written. Never blocks. */
  put(value: T): void
  /** Writes what still waits, at once, and takes no more. */
  close(): Promise<void>
}

/** Turns many values into few writes: the first at once, then the latest per interval, and always the last. */
export function createCoalescingWriter<T>({
  write,
  intervalMs,
  onError,
  now = Date.now,
  sleep = sleepFor,
}: CoalescingWriterOptions<T>): CoalescingWriter<T> {
  const closing = new AbortController()
  let waiting: { readonly value: T } | undefined
  let drained: Promise<void> | undefined
  let lastWriteAt = Number.NEGATIVE_INFINITY

  async function drain(): Promise<void> {
    while (waiting) {
      // A clock that was set back must not silence the writer for as long.
      const restMs = Math.min(lastWriteAt + intervalMs - now(), intervalMs)
      if (restMs > 0 && !closing.signal.aborted) await sleep(restMs, closing.signal).catch(() => {})
      const taken = waiting
      waiting = undefined
      lastWriteAt = now()
      try {
        await write(taken.value)
      } catch (error) {
        onError(error)
        if (!closing.signal.aborted) waiting ??= taken
      }
    }
    drained = undefined
  }

  return {
    put(value) {
      if (closing.signal.aborted) return
      waiting = { value }
      drained ??= drain()
    },
    async close() {
      closing.abort()
      await drained
    },
  }
}
