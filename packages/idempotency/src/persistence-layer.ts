import { randomUUID } from 'node:crypto'
import {
  IdempotencyItemAlreadyExistsError,
  IdempotencyItemNotFoundError,
  IdempotencyRecordStatus,
  IdempotencyValidationError,
} from '@aws-lambda-powertools/idempotency'
import { BasePersistenceLayer, IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence'
import { IdempotencyConflictError } from '@stepwright/errors'
import type { Sleep } from '@stepwright/errors/retry'
import { ask } from './ask.ts'
import { createHolds, type Holds } from './holds.ts'
import type { IdempotencyStore, KeyState, Lock } from './idempotency-store.ts'
import { keepLease, type Lease, type OnTrouble, sleepUnreferenced } from './lease.ts'
import { answer, defaultLockMs, defaultMaxResultBytes, lockLost, replay, toOutcome } from './outcome.ts'
import { settle, warn } from './settle.ts'
import { toMs } from './to-ms.ts'

export interface PersistenceLayerOptions {
  readonly store: IdempotencyStore
  /**
   * Where the keys begin, unless `makeIdempotent` is given a `keyPrefix`. To adopt the records of a Lambda function
   * that used Powertools' own layer, its name.
   */
  readonly namespace: string
  /**
   * How long a crashed owner blocks the key; renewed while the function runs.
   * @default 30, or the Lambda's remaining time if that is less
   */
  readonly lockSeconds?: number
  /** @default 262_144, the largest payload of a Step Functions state */
  readonly maxResultBytes?: number
  /** @default Date.now */
  readonly now?: () => number
  /** @default setTimeout */
  readonly sleep?: Sleep
  /** Spreads repeated attempts to store an outcome. @default Math.random */
  readonly random?: () => number
  /** Names an attempt. Must never give the same twice. @default randomUUID */
  readonly createToken?: () => string
  /** Told of failures of the store that the caller is spared. @default process.emitWarning */
  readonly onTrouble?: OnTrouble
}

/**
 * A persistence layer for the idempotency of Powertools for AWS Lambda, with fenced locks. Calls fail with
 * `ConcurrentExecutionError` and `IdempotencyConflictError` where Powertools has errors of its own.
 */
export function createPersistenceLayer(options: PersistenceLayerOptions): BasePersistenceLayer {
  return new FencedPersistenceLayer(options)
}

type Json = Parameters<BasePersistenceLayer['saveSuccess']>[0]

/** One call of an idempotent function, from its lock to its result. */
interface Call {
  readonly payload: Json
  readonly keyPrefix: string
  readonly remainingMs: number | undefined
}

interface Hold extends Call {
  readonly lock: Lock
  readonly lease: Lease
}

const maxLambdaMs = 900_000

/** A record of the store as Powertools knows them. */
class StoredRecord extends IdempotencyRecord {
  readonly state: KeyState
  readonly #now: () => number
  readonly #expiresAtMs: number

  constructor(idempotencyKey: string, state: KeyState, now: () => number) {
    const result = state.state === 'settled' && state.outcome.ok ? state.outcome : undefined
    super({
      idempotencyKey,
      // A failure too: Powertools knows none, and must not cache it as a result.
      status: result ? IdempotencyRecordStatus.COMPLETED : IdempotencyRecordStatus.INPROGRESS,
      ...(result && { responseData: result.value as Json }),
      ...(state.fingerprint !== undefined && { payloadHash: state.fingerprint }),
    })
    this.state = state
    this.#now = now
    // A second more, lest it expires between being read and being returned.
    this.#expiresAtMs = now() + state.expiresInMs + 1_000
  }

  override isExpired(): boolean {
    return this.#now() > this.#expiresAtMs
  }
}

class FencedPersistenceLayer extends BasePersistenceLayer {
  readonly #options: Required<Omit<PersistenceLayerOptions, 'lockSeconds'>>
  readonly #lockMs: number
  readonly #holds: Holds<Hold> = createHolds()
  #call: Call | undefined
  #prefixOfValues: string | undefined

  constructor({ lockSeconds, ...options }: PersistenceLayerOptions) {
    super()
    this.#lockMs = lockSeconds === undefined ? defaultLockMs : toMs('lockSeconds', lockSeconds)
    this.#options = {
      maxResultBytes: defaultMaxResultBytes,
      now: Date.now,
      sleep: sleepUnreferenced,
      random: Math.random,
      createToken: randomUUID,
      onTrouble: warn,
      ...options,
    }
    this.idempotencyKeyPrefix = options.namespace
  }

  override configure(options: Parameters<BasePersistenceLayer['configure']>[0]): void {
    // Or a function without a keyPrefix would get that of the function that was called before.
    this.idempotencyKeyPrefix = this.#options.namespace
    super.configure(options)
  }

  override async saveInProgress(payload: Json, remainingMs?: number): Promise<void> {
    const keyPrefix = this.idempotencyKeyPrefix
    this.#refuseIndistinct(payload, keyPrefix)
    try {
      await this.#during({ payload, keyPrefix, remainingMs }, () =>
        super.saveInProgress(payload, remainingMs),
      )
    } catch (error) {
      if (error instanceof IdempotencyItemAlreadyExistsError) this.#holds.refuse(payload)
      throw error
    }
  }

  override async saveSuccess(payload: Json, result: Json): Promise<void> {
    const hold = this.#holds.takeSucceeded(payload)
    if (hold === undefined) throw lockLost(this.getHashedIdempotencyKey(payload))
    try {
      await this.#during(hold, () => super.saveSuccess(payload, result))
    } finally {
      hold.lease.end()
    }
  }

  /** Never throws: Powertools would put the store's error in place of the function's. */
  override async deleteRecord(payload: Json): Promise<void> {
    const hold = this.#holds.takeFailed(payload)
    if (hold === undefined) return
    try {
      await this.#during(hold, () => super.deleteRecord(payload))
    } catch (error) {
      this.#options.onTrouble(`releasing the lock on ${hold.lock.key}`, error)
    } finally {
      hold.lease.end()
    }
  }

  override processExistingRecord(
    record: IdempotencyRecord,
    payload: Json | IdempotencyRecord,
  ): IdempotencyRecord {
    try {
      super.processExistingRecord(record, payload)
    } catch (cause) {
      if (!(cause instanceof IdempotencyValidationError)) throw cause
      throw new IdempotencyConflictError(`${record.idempotencyKey} was used before with another payload`, {
        cause,
      })
    }
    if (record instanceof StoredRecord) answer(record.idempotencyKey, record.state, undefined)
    return record
  }

  protected override async _putRecord({
    idempotencyKey: key,
    payloadHash,
  }: IdempotencyRecord): Promise<void> {
    const call = this.#current()
    const { createToken, now } = this.#options
    const lock = { key, token: createToken() }
    const askedAtMs = now()
    const endsAtMs = askedAtMs + (call.remainingMs ?? maxLambdaMs)
    const ttlMs = this.expiresAfterSeconds * 1000
    const remainingMs = (): number => Math.max(1, endsAtMs - now())
    const lockMs = (): number => Math.min(remainingMs(), this.#lockMs)
    const firstMs = lockMs()
    const fingerprint = this.isPayloadValidationEnabled() ? payloadHash : undefined
    const state = await ask(this.#options, { ...lock, lockMs: firstMs, ttlMs, fingerprint })
    if (state.state !== 'acquired') {
      throw new IdempotencyItemAlreadyExistsError(
        `${key} exists`,
        new StoredRecord(key, state, this.#options.now),
      )
    }
    const lease = keepLease(firstMs, { ...this.#options, lock, ttlMs, askedAtMs, lockMs, remainingMs })
    this.#holds.add(call.payload, { ...call, lock, lease })
  }

  protected override async _updateRecord(record: IdempotencyRecord): Promise<void> {
    const { lock } = this.#current() as Hold
    const outcome = toOutcome(lock.key, record.responseData, this.#options.maxResultBytes)
    const ttlMs = this.expiresAfterSeconds * 1000
    if (!(await settle({ ...this.#options, ttlMs }, lock, outcome))) throw lockLost(lock.key)
    replay(outcome)
  }

  protected override async _deleteRecord(): Promise<void> {
    const { lock } = this.#current() as Hold
    await this.#options.store.release(lock)
  }

  protected override async _getRecord(key: string): Promise<IdempotencyRecord> {
    const state = await this.#options.store.find(key)
    if (state === undefined) throw new IdempotencyItemNotFoundError(`no record of ${key}`)
    return new StoredRecord(key, state, this.#options.now)
  }

  /**
   * Powertools computes keys from the layer's fields, which change with every call of any function that shares it, but
   * it does so before it first waits. So they are lent to the call for just as long.
   */
  #during(call: Call, start: () => Promise<void>): Promise<void> {
    const shared = this.idempotencyKeyPrefix
    this.idempotencyKeyPrefix = call.keyPrefix
    this.#call = call
    try {
      return start()
    } finally {
      this.idempotencyKeyPrefix = shared
      this.#call = undefined
    }
  }

  #current(): Call {
    if (this.#call) return this.#call
    throw new TypeError(
      'this version of Powertools waits before it calls its persistence layer: 2.35 is supported',
    )
  }

  /** Two functions given the same text or number could not be told apart when they end. */
  #refuseIndistinct(payload: Json, keyPrefix: string): void {
    if (typeof payload === 'object' && payload !== null) return
    this.#prefixOfValues ??= keyPrefix
    if (this.#prefixOfValues === keyPrefix) return
    throw new TypeError(
      `${keyPrefix} and ${this.#prefixOfValues} share a persistence layer and take payloads that are no objects: give each its own`,
    )
  }
}
