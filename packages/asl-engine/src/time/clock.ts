import { Interrupted } from '../failures/state-failure.ts'
import type { Cancellation } from './cancellation.ts'

/** Time as the engine sees it: real in the local cloud, virtual in tests. Same code. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Calls back at that time, or soon if it has passed; the returned function cancels. */
  readonly at: (timeMs: number, callback: () => void) => () => void
  /** Says that something is under way that no timer announces; the returned function says that it has ended. */
  readonly hold: () => () => void
}

const maxTimeoutMs = 2 ** 31 - 1

function nothing(): void {
  undefined
}

export function createRealClock(now: () => number = Date.now): Clock {
  return {
    now,
    at: (timeMs, callback) => {
      let timer: NodeJS.Timeout
      const arm = (): void => {
        const remaining = timeMs - now()
        timer =
          remaining > maxTimeoutMs
            ? setTimeout(arm, maxTimeoutMs)
            : setTimeout(callback, Math.max(0, remaining))
      }
      arm()
      return () => clearTimeout(timer)
    },
    hold: () => nothing,
  }
}

interface Timer {
  readonly timeMs: number
  readonly sequence: number
  readonly callback: () => void
}

export interface VirtualClock extends Clock {
  /** Calls back whenever nothing is under way and no timer is left: from then on, only somebody outside can go on. */
  readonly onIdle: (callback: () => void) => void
  readonly isIdle: () => boolean
}

/**
 * A clock that jumps to its next timer as soon as nothing is under way, so that a year passes in a millisecond
 * and the same machine always runs the same way.
 */
export function createVirtualClock(startMs: number = Date.UTC(2024, 0, 1)): VirtualClock {
  const timers: Timer[] = []
  let nowMs = startMs
  let sequence = 0
  let held = 0
  let scheduled = false
  let idle: (() => void) | undefined

  const jump = (): void => {
    scheduled = false
    if (held > 0) return
    const timer = timers.shift()
    if (timer === undefined) {
      idle?.()
      return
    }
    nowMs = Math.max(nowMs, timer.timeMs)
    timer.callback()
    schedule()
  }
  const schedule = (): void => {
    if (scheduled || held > 0 || (timers.length === 0 && idle === undefined)) return
    scheduled = true
    // A macrotask, so that whatever the last event set going has settled before time moves on.
    setImmediate(jump)
  }
  const at = (timeMs: number, callback: () => void): (() => void) => {
    const timer: Timer = { timeMs, sequence, callback }
    sequence += 1
    timers.splice(insertionPoint(timers, timer), 0, timer)
    schedule()
    return () => {
      const index = timers.indexOf(timer)
      if (index >= 0) timers.splice(index, 1)
    }
  }
  const hold = (): (() => void) => {
    held += 1
    let released = false
    return () => {
      if (released) return
      released = true
      held -= 1
      schedule()
    }
  }
  const onIdle = (callback: () => void): void => {
    idle = callback
    schedule()
  }
  return { now: () => nowMs, at, hold, onIdle, isIdle: () => held === 0 && timers.length === 0 }
}

function insertionPoint(timers: readonly Timer[], timer: Timer): number {
  let low = 0
  let high = timers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = timers[middle] as Timer
    if (other.timeMs < timer.timeMs || (other.timeMs === timer.timeMs && other.sequence < timer.sequence)) {
      low = middle + 1
    } else {
      high = middle
    }
  }
  return low
}

/** Resolves after that many milliseconds of the clock's time, never for Infinity; rejects if cancelled before. */
export function sleepOn(clock: Clock, ms: number, cancellation?: Cancellation): Promise<void> {
  return new Promise((resolve, reject) => {
    const sleeping = {
      interrupt: () => {
        stopTimer?.()
        reject(new Interrupted())
      },
    }
    const stopTimer = Number.isFinite(ms)
      ? clock.at(clock.now() + ms, () => {
          cancellation?.ignore(sleeping)
          resolve()
        })
      : undefined
    cancellation?.listen(sleeping)
  })
}
