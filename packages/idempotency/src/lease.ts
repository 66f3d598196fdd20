import { type Sleep, sleep as sleepFor } from '@stepwright/errors/retry'
import type { IdempotencyStore, Lock } from './idempotency-store.ts'
import { lockLost } from './outcome.ts'

export interface LeaseOptions {
  readonly store: IdempotencyStore
  readonly lock: Lock
  readonly ttlMs: number
  /** When the lock was asked for: it lasts from then, not from when the answer came. */
  readonly askedAtMs: number
  /** How long a lock that is asked for now should last. */
  readonly lockMs: () => number
  /** How long the work may still take; a lock that ends before is renewed. */
  readonly remainingMs: () => number
  readonly now: () => number
  readonly sleep: Sleep
  readonly onTrouble: OnTrouble
}

/** Told of a failure of the store that the caller is spared. */
export type OnTrouble = (doing: string, error: unknown) => void

/** A lock as its owner sees it: renewed while the work runs, given up when its time is over. */
export interface Lease {
  /** Aborts when the lock is lost, with the error to throw as its reason. */
  readonly signal: AbortSignal
  /** How long the lock surely lasts; 0 when it is lost. */
  remainingMs(): number
  /** Ends the renewals. */
  end(): void
}

/** @param firstMs how long the lock lasts that was just taken */
export function keepLease(firstMs: number, options: LeaseOptions): Lease {
  const { store, lock, ttlMs, askedAtMs, lockMs, remainingMs, now, sleep, onTrouble } = options
  const lost = new AbortController()
  const ended = new AbortController()
  let endsAtMs = askedAtMs + firstMs

  const lose = (): void => {
    if (ended.signal.aborted) return
    ended.abort()
    lost.abort(lockLost(lock.key))
  }
  const left = (): number => (lost.signal.aborted ? 0 : Math.max(0, endsAtMs - now()))

  const renew = async (): Promise<void> => {
    const askedAt = now()
    const duration = lockMs()
    try {
      if (await store.renew(lock, { lockMs: duration, ttlMs })) endsAtMs = askedAt + duration
      else lose()
    } catch (error) {
      onTrouble(`renewing the lock on ${lock.key}`, error)
    }
  }
  const renewals = async (): Promise<void> => {
    while (!ended.signal.aborted && left() < remainingMs()) {
      await sleep(firstMs / 3, ended.signal)
      await renew()
    }
  }
  // Apart from the renewals, so that one that hangs cannot hide the end.
  const watch = async (): Promise<void> => {
    while (left() > 0) await sleep(left(), ended.signal)
    lose()
  }
  // They end by the rejection of their sleep; should anything else break, nobody keeps the lock any more.
  renewals().catch(lose)
  watch().catch(lose)

  return { signal: lost.signal, remainingMs: left, end: () => ended.abort() }
}

/** Sleeps without keeping the process alive. */
export const sleepUnreferenced: Sleep = (ms, signal) => sleepFor(ms, signal, { ref: false })
