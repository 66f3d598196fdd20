import type { IdempotencyStore, Lock, Outcome } from './idempotency-store.ts'
import type { OnTrouble, Sleep } from './lease.ts'

export interface SettleOptions {
  readonly store: IdempotencyStore
  readonly ttlMs: number
  readonly sleep: Sleep
  readonly onTrouble: OnTrouble
}

const attempts = 3
const neverAborted: AbortSignal = new AbortController().signal

/**
 * Stores how the call ended. False when the lock was lost. If the store fails throughout, the caller still gets its
 * answer: it is true, and a retry would do the work again.
 */
export async function settle(
  { store, ttlMs, sleep, onTrouble }: SettleOptions,
  lock: Lock,
  outcome: Outcome,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store.complete(lock, outcome, ttlMs)
    } catch (error) {
      onTrouble(`storing the outcome of ${lock.key}`, error)
      if (attempt === attempts) return true
      await sleep(100 * 3 ** attempt, neverAborted)
    }
  }
}

export const warn: OnTrouble = (doing, error) =>
  process.emitWarning(`${doing} failed: ${error instanceof Error ? error.message : String(error)}`, {
    code: 'STEPWRIGHT_IDEMPOTENCY',
  })
