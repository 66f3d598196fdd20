import {
  DatabaseConnectionError,
  isTaskError,
  type TaskError,
  TemporaryError,
  toTaskError,
} from '@stepwright/errors'
import { classifyPostgres } from '@stepwright/errors/postgres'
import { backoffMs, type Sleep } from '@stepwright/errors/retry'
import type { CallLimits } from '../call-limits.ts'

export interface RetryOptions {
  /** How long passing trouble is retried, if the remaining time allows. @default 30000 */
  readonly retryForMs: number
  readonly now: () => number
  readonly sleep: Sleep
  readonly random: () => number
}

/** A try that failed, and the pause before the next one. */
export interface AttemptRetry {
  /** Which try of this call failed, from 1. */
  readonly attempt: number
  /** A `DatabaseConnectionError` or a `TemporaryError`. */
  readonly error: TaskError
  readonly delayMs: number
}

const delays = { firstMs: 50, maxMs: 3_000 }
/** Less time than this is not worth another attempt: the failure could no longer be reported. */
const reserveMs = 500

/**
 * Repeats `attempt` while it fails with what passes: lost connections, failovers, deadlocks, lock timeouts. The
 * delays double and are jittered, so that workers which failed together don't come back together.
 */
export async function retryTransient<T>(
  attempt: (count: number) => Promise<T>,
  { signal, remainingMs }: CallLimits,
  { retryForMs, now, sleep, random }: RetryOptions,
  onRetry?: (retry: AttemptRetry) => void,
): Promise<T> {
  const started = now()
  for (let count = 1; ; count += 1) {
    signal.throwIfAborted()
    try {
      return await attempt(count)
    } catch (thrown) {
      // What was cancelled fails in many ways; the caller wants to hear its own reason.
      signal.throwIfAborted()
      const error = toTransient(thrown)
      if (error === undefined) throw thrown
      const delayMs = backoffMs(count, { ...delays, random })
      if (now() + delayMs - started > retryForMs || delayMs + reserveMs > remainingMs()) throw error
      onRetry?.({ attempt: count, error, delayMs })
      await sleep(delayMs, signal)
    }
  }
}

function toTransient(thrown: unknown): TaskError | undefined {
  const error = toTaskError(thrown, classifyPostgres)
  const passes = isTaskError(error, DatabaseConnectionError) || isTaskError(error, TemporaryError)
  return passes ? error : undefined
}

/** Whether the server ended the transaction because it and another waited for each other (40P01). */
export function isDeadlock(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ((each as { readonly code?: unknown }).code === '40P01') return true
  }
  return false
}
