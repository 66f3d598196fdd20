import {
  ConcurrentExecutionError,
  DataValidationError,
  IdempotencyConflictError,
  PayloadTooLargeError,
  UnexpectedError,
} from '@stepwright/errors'
import type { Sleep } from '@stepwright/errors/retry'
import type { TaskContext, TaskMiddleware } from '@stepwright/task'
import { IdempotencyStoreError, UntellableResultError } from './errors.ts'
import type { IdempotencyStore } from './idempotency-store.ts'
import { payloadHash, payloadKey } from './payload-key.ts'
import { type HeldLock, type RunOnceOptions, runOnce } from './run-once.ts'
import { describeTrouble } from './settle.ts'

export interface IdempotentOptions<Input, Ports>
  extends Pick<
    RunOnceOptions,
    'ttlSeconds' | 'lockSeconds' | 'waitSeconds' | 'replayFailures' | 'maxResultBytes'
  > {
  readonly store: (ports: Ports) => IdempotencyStore
  /** The part of the input that says which call it is. @default the whole input */
  readonly key?: (input: Input) => unknown
  /** Whether a call may come without a key, and then runs as if it were alone. @default false: it is refused */
  readonly keyIsOptional?: boolean
  /** The part of the input that must be the same in all calls of one key. @default the whole input */
  readonly payload?: (input: Input) => unknown
  /** Keeps the keys of different tasks apart. @default the task's name */
  readonly namespace?: string
  /** @default setTimeout */
  readonly sleep?: Sleep
  /** Spreads repeated attempts to store an outcome. @default Math.random */
  readonly random?: () => number
}

/**
 * Lets a task run once for each key. Calls that come later get the stored result; calls that come meanwhile wait for it
 * up to `waitSeconds`, and then get a `ConcurrentExecutionError` that says when to come again.
 */
export function idempotent<Input, Ports>(
  options: IdempotentOptions<Input, Ports>,
): TaskMiddleware<Input, never, Ports> {
  const { store, key, payload = (input: Input) => input, namespace, keyIsOptional, ...settings } = options
  return {
    errors: [
      ConcurrentExecutionError,
      DataValidationError,
      IdempotencyConflictError,
      IdempotencyStoreError,
      PayloadTooLargeError,
      UntellableResultError,
    ],
    async wrap({ task, input, ports, context }, next) {
      const { logger, now, remainingMs, signal } = context
      if (keyIsOptional && key?.(input) === undefined) return next()
      const call = {
        ...settings,
        store: store(ports),
        key: payloadKey(input, { namespace: namespace ?? task, ...(key && { select: key }) }),
        fingerprint: payloadHash(payload(input)),
        now,
        remainingMs,
        signal,
        onTrouble: (doing: string, error: unknown) =>
          logger.warn(`${doing} failed`, { reason: describeTrouble(error) }),
      }
      let ran = false
      const result = await runOnce(call, lock => {
        ran = true
        return next(withLock(context, lock))
      })
      if (!ran) logger.info('answered with the stored result', { idempotencyKey: call.key })
      return result
    },
  }
}

const lockSymbol: unique symbol = Symbol.for('@stepwright/idempotency/lock') as never

function withLock(context: TaskContext, lock: HeldLock): TaskContext {
  return Object.assign({ ...context, signal: lock.signal }, { [lockSymbol]: lock })
}

/** The lock that an `idempotent` task runs under, if its call has a key. */
export function findLock(context: TaskContext): HeldLock | undefined {
  return (context as { readonly [lockSymbol]?: HeldLock })[lockSymbol]
}

/**
 * The lock that an `idempotent` task runs under.
 * @throws UnexpectedError in a task without it
 */
export function lockOf(context: TaskContext): HeldLock {
  const lock = findLock(context)
  if (lock === undefined)
    throw new UnexpectedError('the task has no lock: add idempotent({ … }) to its `use`')
  return lock
}
