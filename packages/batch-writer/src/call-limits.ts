import { TemporaryError } from '@stepwright/errors'

export interface CallLimits {
  /** Stops the work also where it runs: on the server. */
  readonly signal: AbortSignal
  /** Milliseconds left; Infinity if nobody counts. */
  readonly remainingMs: () => number
}

const neverAborted: AbortSignal = new AbortController().signal

/** Whole limits: what is given, and for the rest none. */
export function toLimits({
  signal = neverAborted,
  remainingMs = () => Number.POSITIVE_INFINITY,
}: Partial<CallLimits> = {}): CallLimits {
  return { signal, remainingMs }
}

/**
 * The same limits, and no longer than this. A state that gave up waiting must not be surprised by a function that
 * goes on: the function's own timeout is that of its slowest task.
 */
export function limitTime(
  { signal, remainingMs, now }: CallLimits & { readonly now: () => number },
  maxSeconds: number | undefined,
): CallLimits {
  if (maxSeconds === undefined) return { signal, remainingMs }
  const end = now() + maxSeconds * 1000
  const passed = new AbortController()
  AbortSignal.timeout(maxSeconds * 1000).addEventListener('abort', () =>
    passed.abort(new TemporaryError(`the task was not done after ${maxSeconds} s`)),
  )
  return {
    signal: AbortSignal.any([signal, passed.signal]),
    remainingMs: () => Math.min(remainingMs(), Math.max(0, end - now())),
  }
}
