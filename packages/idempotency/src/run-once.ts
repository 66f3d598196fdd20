import { randomUUID } from 'node:crypto'
import {
  aBoolean,
  aFunction,
  anything,
  aSignal,
  assertOptions,
  aText,
  numberFrom,
  type OptionChecks,
  wholeFrom,
} from '@stepwright/errors/options'
import { backoffMs, type Sleep, sleep as sleepFor } from '@stepwright/errors/retry'
import { ask } from './ask.ts'
import { checkKey } from './check-key.ts'
import type { IdempotencyStore, Lock, Outcome } from './idempotency-store.ts'
import { keepLease, type Lease, type OnTrouble, sleepUnreferenced } from './lease.ts'
import {
  answer,
  defaultLockMs,
  defaultMaxResultBytes,
  inProgress,
  isHeldForSameWork,
  lockLost,
  replay,
  toBusinessOutcome,
  toOutcome,
} from './outcome.ts'
import { settle, warn } from './settle.ts'
import { toMs } from './to-ms.ts'

export interface RunOnceOptions {
  readonly store: IdempotencyStore
  /** At most 2,048 bytes; no NUL, and no half of a surrogate pair. */
  readonly key: string
  /** A hash of what must be the same in all calls of the key; another one is refused. */
  readonly fingerprint?: string | undefined
  /** How long a result is replayed. @default 3600 */
  readonly ttlSeconds?: number | undefined
  /**
   * How long a crashed owner blocks the key. The lock is renewed while the work runs, every third of this time:
   * work that blocks the event loop for longer needs a longer one.
   * @default 30, or the remaining time if that is less
   */
  readonly lockSeconds?: number | undefined
  /**
   * How long a call waits for one that runs under the same key before it fails with `ConcurrentExecutionError`: for
   * callers, such as browsers, that do not retry. @default 0
   */
  readonly waitSeconds?: number | undefined
  /** Whether business failures are stored and thrown again, as results are returned again. @default false */
  readonly replayFailures?: boolean | undefined
  /** @default 262_144, the largest payload of a Step Functions state */
  readonly maxResultBytes?: number | undefined
  /** Milliseconds until this process is stopped. @default () => Infinity */
  readonly remainingMs?: () => number
  /** Handed on to the work, with the end of the lock added. */
  readonly signal?: AbortSignal
  /** @default Date.now */
  readonly now?: () => number
  /** @default setTimeout */
  readonly sleep?: Sleep
  /** Spreads repeated attempts to store an outcome. @default Math.random */
  readonly random?: () => number
  /** Names this attempt. Must never give the same twice. @default randomUUID */
  readonly createToken?: () => string
  /** Told of failures of the store that the caller is spared. @default process.emitWarning */
  readonly onTrouble?: OnTrouble
}

const optionChecks: OptionChecks = {
  store: anything,
  key: anything,
  fingerprint: aText,
  ttlSeconds: anything,
  lockSeconds: anything,
  waitSeconds: numberFrom(0),
  replayFailures: aBoolean,
  maxResultBytes: wholeFrom(1),
  remainingMs: aFunction,
  signal: aSignal,
  now: aFunction,
  sleep: aFunction,
  random: aFunction,
  createToken: aFunction,
  onTrouble: aFunction,
}

/** The lock as the work sees it. */
export interface HeldLock extends Lock {
  /** Aborts when the lock is lost; throw its reason, a `ConcurrentExecutionError`. */
  readonly signal: AbortSignal
  /** How long the lock surely lasts by this process's clock; 0 when it is lost. */
  remainingMs(): number
  /**
   * Settles the key through another store, such as one inside the transaction of the effect: then both happen or
   * neither does, whatever crashes, pauses or clocks do.
   * @throws ConcurrentExecutionError when the lock was lost: roll back
   */
  completeIn(store: IdempotencyStore, result: unknown): Promise<void>
}

/**
 * Runs the work if nobody has done it under this key, and otherwise gives the same answer again, as JSON carries it.
 * What the work throws is thrown as it is, whatever the store does.
 * @throws ConcurrentExecutionError when somebody is at it, IdempotencyConflictError when the key was used with
 * another payload, IdempotencyStoreError when the store cannot be asked, DataValidationError for a key that stores
 * cannot hold
 */
export async function runOnce<T>(options: RunOnceOptions, work: (lock: HeldLock) => Promise<T>): Promise<T> {
  assertOptions('runOnce', options, optionChecks)
  checkKey(options.key)
  const settings = toSettings(options)
  const { key, fingerprint, ttlMs, now, waitMs, pause } = settings
  const lock: Lock = { key, token: settings.createToken() }
  const waitUntilMs = now() + waitMs
  let askedAtMs: number
  let lockMs: number
  for (let waits = 1; ; waits += 1) {
    askedAtMs = now()
    lockMs = settings.lockMs()
    const state = await ask(settings, { ...lock, fingerprint, lockMs, ttlMs })
    if (state.state === 'acquired') break
    const restMs = waitUntilMs - now()
    if (restMs <= 0 || !isHeldForSameWork(state, fingerprint)) return answer(key, state, fingerprint) as T
    await pause(Math.min(restMs, backoffMs(waits, { firstMs: 50, maxMs: 500, random: settings.random })))
  }

  const lease = keepLease(lockMs, { ...settings, lock, askedAtMs })
  try {
    const outcome = await attempt(settings, lock, lease, work)
    if (await settle(settings, lock, outcome)) return replay(outcome) as T
    return (await answerOfHeir(settings)) as T
  } finally {
    lease.end()
  }
}

type Settings = ReturnType<typeof toSettings>

function toSettings({
  ttlSeconds = 3600,
  lockSeconds,
  waitSeconds = 0,
  replayFailures = false,
  maxResultBytes = defaultMaxResultBytes,
  remainingMs = () => Number.POSITIVE_INFINITY,
  signal,
  now = Date.now,
  sleep: givenSleep,
  random = Math.random,
  createToken = randomUUID,
  onTrouble = warn,
  ...rest
}: RunOnceOptions) {
  const ttlMs = toMs('ttlSeconds', ttlSeconds)
  const maxLockMs = lockSeconds === undefined ? defaultLockMs : toMs('lockSeconds', lockSeconds)
  const lockMs = (): number => Math.min(Math.max(1, remainingMs()), maxLockMs)
  const sleep = givenSleep ?? sleepUnreferenced
  const waitMs = waitSeconds === 0 ? 0 : toMs('waitSeconds', waitSeconds)
  // While it waits for another call, nothing else keeps the process alive.
  const pause = (ms: number): Promise<void> => (givenSleep ?? sleepFor)(ms, signal)
  const handlers = { now, sleep, pause, random, createToken, onTrouble, remainingMs, signal }
  return { ...rest, ...handlers, ttlMs, lockMs, waitMs, replayFailures, maxResultBytes }
}

async function attempt<T>(
  settings: Settings,
  lock: Lock,
  lease: Lease,
  work: (lock: HeldLock) => Promise<T>,
): Promise<Outcome> {
  const { key, ttlMs, maxResultBytes, signal } = settings
  const held: HeldLock = {
    ...lock,
    signal: signal ? AbortSignal.any([signal, lease.signal]) : lease.signal,
    remainingMs: lease.remainingMs,
    async completeIn(store, result) {
      const outcome = toOutcome(key, result, maxResultBytes)
      replay(outcome)
      if (!(await store.complete(lock, outcome, ttlMs))) throw lockLost(key)
    },
  }
  let result: T
  try {
    result = await work(held)
  } catch (thrown) {
    await giveUp(settings, lock, thrown)
    throw thrown
  }
  return toOutcome(key, result, maxResultBytes)
}

/** Ends the lock of failed work; never throws, since the work's own error is what the caller must see. */
async function giveUp(settings: Settings, lock: Lock, thrown: unknown): Promise<void> {
  const { store, key, replayFailures, maxResultBytes, onTrouble } = settings
  try {
    const outcome = replayFailures ? toBusinessOutcome(thrown, maxResultBytes) : undefined
    if (outcome) await settle(settings, lock, outcome)
    else await store.release(lock)
  } catch (error) {
    onTrouble(`releasing the lock on ${key}`, error)
  }
}

/** Whoever took the lock over decides what the answer is: there can be only one. */
async function answerOfHeir({ store, key, fingerprint, lockMs }: Settings): Promise<unknown> {
  const state = await store.find(key).catch(() => undefined)
  if (state === undefined) throw inProgress(key, lockMs())
  return answer(key, state, fingerprint)
}
