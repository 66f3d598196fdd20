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
