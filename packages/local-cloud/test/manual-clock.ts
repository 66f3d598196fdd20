import type { LocalClock } from '../src/index.ts'

/** Time that passes when a test says so. */
export interface ManualClock extends LocalClock {
  advance(seconds: number): void
}

export function createManualClock(startMs: number): ManualClock {
  let nowMs = startMs
  const sleeping = new Set<{ readonly untilMs: number; wake(): void }>()
  return {
    now: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { untilMs: nowMs + ms, wake: resolve }
        sleeping.add(sleeper)
        signal.addEventListener('abort', () => {
          sleeping.delete(sleeper)
          reject(signal.reason)
        })
      }),
    advance(seconds) {
      nowMs += seconds * 1000
      for (const sleeper of sleeping) {
        if (sleeper.untilMs > nowMs) continue
        sleeping.delete(sleeper)
        sleeper.wake()
      }
    },
  }
}
