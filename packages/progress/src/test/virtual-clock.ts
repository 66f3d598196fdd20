import { setImmediate as turn } from 'node:timers/promises'
import type { Sleep } from '@stepwright/errors/retry'

export interface VirtualClock {
  readonly now: () => number
  readonly sleep: Sleep
  /** Lets the time pass, waking each sleeper at its time, and all that follows from it. */
  advance(ms: number): Promise<void>
}

export function createVirtualClock(startMs = 0): VirtualClock {
  let time = startMs
  let sleepers: { readonly at: number; readonly wake: () => void }[] = []
  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: time + ms, wake: resolve }
        sleepers.push(sleeper)
        const stop = (): void => {
          sleepers = sleepers.filter(one => one !== sleeper)
          reject(signal?.reason)
        }
        if (signal?.aborted) stop()
        else signal?.addEventListener('abort', stop)
      }),
    async advance(ms) {
      const end = time + ms
      for (;;) {
        await turn()
        const next = sleepers.filter(one => one.at <= end).sort((a, b) => a.at - b.at)[0]
        if (next === undefined) break
        sleepers = sleepers.filter(one => one !== next)
        time = next.at
        next.wake()
      }
      time = end
      await turn()
    },
  }
}
