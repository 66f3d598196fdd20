import { TaskTimeoutError } from '@stepwright/errors'

/**
 * Runs work that must be done in time. Its signal aborts before Lambda stops the process, so that it can roll back,
 * and it has three quarters of the margin for that; whatever it throws then is a consequence of the time-out.
 * Without a clock there is no deadline.
 */
export function runInTime<T>(
  remainingMs: (() => number) | undefined,
  marginMs: number | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  if (remainingMs === undefined) return work(controller.signal)
  // A timer counts no further, and one that is asked to ends at once.
  const remaining = Math.min(remainingMs(), 2 ** 31 - 1)
  const margin = marginMs ?? Math.min(1_000, remaining / 10)
  return new Promise((resolve, reject) => {
    let passed: unknown
    let timer = setTimeout(
      () => {
        passed = new TaskTimeoutError(`the task was not done after ${Math.round(remaining - margin)} ms`)
        controller.abort(passed)
        timer = setTimeout(reject, margin * 0.75, passed)
      },
      Math.max(0, remaining - margin),
    )
    work(controller.signal)
      .finally(() => clearTimeout(timer))
      .then(resolve, error => reject(passed ?? error))
  })
}
