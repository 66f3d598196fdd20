import { setImmediate } from 'node:timers/promises'

/** Timers wait this long at most while rows are scanned out of memory without a pause. */
const maxWorkMs = 20

/**
 * Lets timers, and with them aborts, through while work goes on without waiting for anything: to be called often,
 * and awaited if it gives a promise, which rejects if the signal is aborted.
 */
export function createBreather(signal: AbortSignal | undefined): () => Promise<void> | undefined {
  let rested = performance.now()
  return () => (performance.now() - rested < maxWorkMs ? undefined : rest())

  async function rest(): Promise<void> {
    await setImmediate()
    signal?.throwIfAborted()
    rested = performance.now()
  }
}
