import { setTimeout as wait } from 'node:timers/promises'

/** Resolves after the time. Rejects with the signal's reason as soon as it aborts. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

export interface SleepOptions {
  /** Whether the process stays alive for it. @default true */
  readonly ref?: boolean
}

/** setTimeout counts no further, and takes more for none at all. */
const maxTimeoutMs = 2 ** 31 - 1

/** Resolves after the time. Rejects with the signal's reason as soon as it aborts. */
export async function sleep(
  ms: number,
  signal?: AbortSignal,
  { ref = true }: SleepOptions = {},
): Promise<void> {
  try {
    for (let left = ms; left > 0; left -= maxTimeoutMs) {
      await wait(Math.min(left, maxTimeoutMs), undefined, { ref, ...(signal && { signal }) })
    }
  } finally {
    // Node's own AbortError says nothing of why.
    signal?.throwIfAborted()
  }
}
