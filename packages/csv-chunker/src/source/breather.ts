import { setImmediate } from 'node:timers/promises'

/** Timers wait no longer than for so much work, while rows are scanned out of memory without a pause. */
const maxWorkMs = 20
const maxWorkBytes = 4 * 1024 * 1024

/** To be called with each piece of work, and awaited if it gives a promise, which rejects if the signal is aborted. */
export type Breather = (bytes: number) => Promise<void> | undefined

/** Lets timers, and with them aborts, through while work goes on without waiting for anything. */
export function createBreather(signal: AbortSignal | undefined): Breather {
  let rested = performance.now()
  let worked = 0
  return bytes => {
    worked += bytes
    if (signal?.aborted) return rest()
    return worked < maxWorkBytes && performance.now() - rested < maxWorkMs ? undefined : rest()
  }

  async function rest(): Promise<void> {
    await setImmediate()
    signal?.throwIfAborted()
    rested = performance.now()
    worked = 0
  }
}
