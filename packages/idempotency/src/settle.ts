import { isTaskError, PayloadTooLargeError, toTaskError } from '@stepwright/errors'
import { classifyAws } from '@stepwright/errors/aws'
import { classifyPostgres } from '@stepwright/errors/postgres'
import { backoffMs, type Sleep } from '@stepwright/errors/retry'
import type { IdempotencyStore, Lock, Outcome } from './idempotency-store.ts'
import type { OnTrouble } from './lease.ts'
import { toFailure } from './outcome.ts'

export interface SettleOptions {
  readonly store: IdempotencyStore
  readonly ttlMs: number
  readonly sleep: Sleep
  readonly random: () => number
  readonly onTrouble: OnTrouble
}

const attempts = 3

/**
 * Stores how the call ended. False when the lock was lost. If the store fails throughout, the caller still gets its
 * answer: it is true, and a retry would do the work again. Where the store has no room for the outcome, that is stored
 * in its place, lest another call does the work again.
 */
export async function settle(
  { store, ttlMs, sleep, random, onTrouble }: SettleOptions,
  lock: Lock,
  outcome: Outcome,
): Promise<boolean> {
  let kept = outcome
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store.complete(lock, kept, ttlMs)
    } catch (error) {
      onTrouble(`storing the outcome of ${lock.key}`, error)
      if (attempt === attempts) return true
      if (isTaskError(error, PayloadTooLargeError)) kept = { ok: false, failure: toFailure(error) }
      else await sleep(backoffMs(attempt, { firstMs: 500, maxMs: 1_000, random }))
    }
  }
}

export const warn: OnTrouble = (doing, error) =>
  process.emitWarning(`${doing} failed: ${describeTrouble(error)}`, { code: 'STEPWRIGHT_IDEMPOTENCY' })

/** What a store's error means, without its own words: a driver's may quote the record. */
export function describeTrouble(error: unknown): string {
  const { name, message } = toTaskError(error, classifyAws, classifyPostgres)
  return `${name}: ${message}`
}
