import { type TaskError, TaskTimeoutError } from '@stepwright/errors'

export interface Deadline {
  readonly signal: AbortSignal
  /** Set once the deadline has passed. */
  readonly passed: TaskError | undefined
  /** Settles as the work does; shortly after the deadline it stops waiting for it. */
  race<T>(work: Promise<T>): Promise<T>
  clear(): void
}

/**
 * Aborts `signal` before Lambda stops the process, so that the task can roll back, and gives it three
 * quarters of the margin for that. Without a clock there is no deadline.
 */
export function startDeadline(remainingMs: (() => number) | undefined, marginMs?: number): Deadline {
  const controller = new AbortController()
  if (remainingMs === undefined) {
    return { signal: controller.signal, passed: undefined, race: work => work, clear: () => {} }
  }
  const remaining = remainingMs()
  const margin = marginMs ?? Math.min(1_000, remaining / 10)
  let passed: TaskError | undefined
  let giveUp: (error: TaskError) => void = () => {}
  let timer = setTimeout(
    () => {
      passed = new TaskTimeoutError(`the task was not done after ${Math.round(remaining - margin)} ms`)
      controller.abort(passed)
      timer = setTimeout(() => giveUp(passed as TaskError), margin * 0.75)
    },
    Math.max(0, remaining - margin),
  )
  return {
    signal: controller.signal,
    get passed() {
      return passed
    },
    race(work) {
      return new Promise((resolve, reject) => {
        giveUp = reject
        work.then(resolve, reject)
      })
    },
    clear() {
      clearTimeout(timer)
    },
  }
}
