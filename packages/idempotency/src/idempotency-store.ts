/**
 * Where keys, their locks and their results are kept. Every method is one atomic step, safe to repeat with the same
 * lock: a driver may send a call twice when an answer got lost, and the first may arrive last. So a lock is never
 * made shorter. Times are durations, so that each store can count them by the clock it trusts.
 */
export interface IdempotencyStore {
  /** Takes the key's lock if nobody has it, nobody has settled the key, or what was there has expired. */
  acquire(claim: Claim): Promise<Acquired | KeyState>
  /** What is stored for the key; undefined for nothing, or nothing that still counts. */
  find(key: string): Promise<KeyState | undefined>
  /** Lets the lock last at least `lockMs` from now. False when it is no longer this owner's. */
  renew(lock: Lock, span: LockSpan): Promise<boolean>
  /**
   * Ends the lock and keeps the outcome for `ttlMs` from now. False, and nothing changed, when the lock was lost.
   * @throws PayloadTooLargeError, and nothing changed, for an outcome that the store has no room for
   */
  complete(lock: Lock, outcome: Outcome, ttlMs: number): Promise<boolean>
  /** Ends the lock and forgets the key. False, and nothing changed, when the lock was lost. */
  release(lock: Lock): Promise<boolean>
}

/** One owner's hold on a key. The token is new for each attempt: it is what fences off an owner that was too slow. */
export interface Lock {
  readonly key: string
  readonly token: string
}

export interface LockSpan {
  readonly lockMs: number
  /** A record is kept at least this long, also when its owner crashed. */
  readonly ttlMs: number
}

export interface Claim extends Lock, LockSpan {
  /** A hash of what must be the same in all calls of one key. */
  readonly fingerprint?: string | undefined
}

export interface Acquired {
  readonly state: 'acquired'
}

export type KeyState = Held | Settled

/** Somebody's lock. */
export interface Held {
  readonly state: 'held'
  /** Until it expires, if it is not renewed. */
  readonly expiresInMs: number
  readonly fingerprint?: string | undefined
}

/** A finished call. */
export interface Settled {
  readonly state: 'settled'
  readonly outcome: Outcome
  /** Until the key is free again. */
  readonly expiresInMs: number
  readonly fingerprint?: string | undefined
}

/** How a call ended. The value is as JSON carries it; undefined for a call that returns nothing. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: StoredFailure }

/** A business failure, to be thrown again. */
export interface StoredFailure {
  readonly name: string
  readonly message: string
  readonly httpStatus: number
  readonly code?: string
  readonly details?: Readonly<Record<string, unknown>>
}
