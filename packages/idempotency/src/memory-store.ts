import type { Claim, IdempotencyStore, KeyState, Lock, LockSpan, Outcome } from './idempotency-store.ts'

export interface MemoryIdempotencyStoreOptions {
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** The most by which clocks that share `records` differ; every expiry is put off by it. @default 0 */
  readonly clockSkewMs?: number
  /** Share it between stores to have several processes in a test. @default a new Map */
  readonly records?: Map<string, MemoryRecord>
}

/** What a table's row would hold; the outcome as JSON, so that nobody can change it from outside. */
export interface MemoryRecord {
  readonly token: string
  readonly fingerprint: string | undefined
  readonly outcome: string | undefined
  readonly expiresAtMs: number
}

/** A store for tests: it forgets nothing but when the process ends. */
export function createMemoryIdempotencyStore({
  now = Date.now,
  clockSkewMs = 0,
  records = new Map(),
}: MemoryIdempotencyStoreOptions = {}): IdempotencyStore {
  const live = (key: string): MemoryRecord | undefined => {
    const record = records.get(key)
    return record !== undefined && record.expiresAtMs >= now() ? record : undefined
  }
  const after = (durationMs: number): number => now() + durationMs + clockSkewMs
  const ownedBy = ({ key, token }: Lock): MemoryRecord | undefined => {
    const record = records.get(key)
    return record?.token === token ? record : undefined
  }

  return {
    async acquire({ key, token, lockMs, fingerprint }: Claim) {
      const record = live(key)
      const mine = record?.token === token && record.outcome === undefined
      if (record && !mine) return toState(record, now())
      const expiresAtMs = Math.max(after(lockMs), record?.expiresAtMs ?? 0)
      records.set(key, { token, fingerprint, outcome: undefined, expiresAtMs })
      return { state: 'acquired' }
    },
    async find(key) {
      const record = live(key)
      return record && toState(record, now())
    },
    async renew(lock: Lock, { lockMs }: LockSpan) {
      const record = ownedBy(lock)
      if (record === undefined || record.outcome !== undefined) return false
      records.set(lock.key, { ...record, expiresAtMs: Math.max(after(lockMs), record.expiresAtMs) })
      return true
    },
    async complete(lock: Lock, outcome: Outcome, ttlMs: number) {
      const record = ownedBy(lock)
      if (record === undefined) return false
      records.set(lock.key, { ...record, outcome: JSON.stringify(outcome), expiresAtMs: after(ttlMs) })
      return true
    },
    async release(lock: Lock) {
      const record = ownedBy(lock)
      if (record === undefined || record.outcome !== undefined) return false
      return records.delete(lock.key)
    },
  }
}

function toState({ outcome, expiresAtMs, fingerprint }: MemoryRecord, now: number): KeyState {
  const expiresInMs = expiresAtMs - now
  return outcome === undefined
    ? { state: 'held', expiresInMs, fingerprint }
    : { state: 'settled', outcome: JSON.parse(outcome), expiresInMs, fingerprint }
}
