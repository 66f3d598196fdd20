import {
  ConcurrentExecutionError,
  defineBusinessError,
  IdempotencyConflictError,
  isTaskError,
  PayloadTooLargeError,
  type TaskError,
} from '@stepwright/errors'
import { stringifyJson } from '@stepwright/errors/json'
import { UntellableResultError } from './errors.ts'
import type { KeyState, Outcome, StoredFailure } from './idempotency-store.ts'

/** Short, so that a crash does not outlast the retries; renewed while the work runs. */
export const defaultLockMs = 30_000

/** The largest payload of a Step Functions state. */
export const defaultMaxResultBytes = 262_144

/**
 * The outcome of a call that returned. What is no JSON, or too large to be kept, becomes a stored failure: the effect
 * happened, and must not happen again just because its result cannot be told. Never throws.
 */
export function toOutcome(key: string, result: unknown, maxResultBytes: number): Outcome {
  const { json, failed } = toJson(result)
  if (failed) {
    const message = `the work of ${key} was done, but its result is not JSON and cannot be told again`
    return { ok: false, failure: toFailure(new UntellableResultError(message)) }
  }
  if (json === undefined) return { ok: true, value: undefined }
  const bytes = Buffer.byteLength(json)
  if (bytes <= maxResultBytes) return { ok: true, value: JSON.parse(json) }
  const message = `the result of ${key} has ${bytes} bytes and at most ${maxResultBytes} are kept for replay`
  return { ok: false, failure: toFailure(new PayloadTooLargeError(message)) }
}

/** The outcome of a call that failed, if it is one that a repetition could not better. */
export function toBusinessOutcome(thrown: unknown, maxResultBytes: number): Outcome | undefined {
  if (!isTaskError(thrown) || thrown.kind !== 'business') return undefined
  const failure = toFailure(thrown)
  const { json, failed } = toJson(failure)
  if (!failed && Buffer.byteLength(json ?? '') <= maxResultBytes) return { ok: false, failure }
  const { details: _, ...rest } = failure
  return { ok: false, failure: { ...rest, message: rest.message.slice(0, 10_000) } }
}

function toJson(value: unknown): { readonly json?: string | undefined; readonly failed: boolean } {
  try {
    return { json: stringifyJson(value), failed: false }
  } catch {
    // What JSON would change or drop, or a toJSON that throws.
    return { failed: true }
  }
}

export function toFailure({ name, message, httpStatus, code, details }: TaskError): StoredFailure {
  return { name, message, httpStatus, ...(code !== undefined && { code }), ...(details && { details }) }
}

/** The value that was stored, or the failure thrown anew: an error of the same name, to `isTaskError` the same. */
export function replay(outcome: Outcome): unknown {
  if (outcome.ok) return outcome.value
  const { name, message, httpStatus, code, details } = outcome.failure
  throw new (defineBusinessError(name, { httpStatus }))(message, { code, details })
}

/**
 * The answer to a call that did not get the lock.
 * @throws IdempotencyConflictError, ConcurrentExecutionError, or the business failure that was stored
 */
export function answer(key: string, state: KeyState, fingerprint: string | undefined): unknown {
  if (isForOtherWork(state, fingerprint)) {
    throw new IdempotencyConflictError(`${key} was used before with another payload`, { details: { key } })
  }
  if (state.state === 'held') throw inProgress(key, state.expiresInMs)
  return replay(state.outcome)
}

function isForOtherWork(state: KeyState, fingerprint: string | undefined): boolean {
  return fingerprint !== undefined && state.fingerprint !== undefined && state.fingerprint !== fingerprint
}

/** Whether another call of the same payload runs, whose answer is worth waiting for. */
export function isHeldForSameWork(state: KeyState, fingerprint: string | undefined): boolean {
  return state.state === 'held' && !isForOtherWork(state, fingerprint)
}

export function inProgress(key: string, expiresInMs: number): ConcurrentExecutionError {
  return new ConcurrentExecutionError(`${key} is being worked on elsewhere`, {
    details: { key },
    retryAfterSeconds: Math.max(1, Math.ceil(expiresInMs / 1000)),
  })
}

export function lockLost(key: string): ConcurrentExecutionError {
  return new ConcurrentExecutionError(`the lock on ${key} expired before the work was done`, {
    details: { key },
  })
}
