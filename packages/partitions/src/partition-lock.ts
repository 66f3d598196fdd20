import { aFunction, anObject, assertOptions, numberAbove } from '@stepwright/errors/options'

/** The part of an idempotency store that a lock needs. */
export interface LockStore {
  /** `acquired` also for the token that holds the lock already. */
  acquire(claim: LockedKey & LockDuration): Promise<{ readonly state: string }>
  renew(lock: LockedKey, duration: LockDuration): Promise<boolean>
  release(lock: LockedKey): Promise<unknown>
}

export interface LockedKey {
  readonly key: string
  readonly token: string
}

export interface LockDuration {
  readonly lockMs: number
  readonly ttlMs: number
}

/** One owner at a time has a partition. Its token fences off an owner that was too slow. */
export interface PartitionLock<Partition = string> {
  /** Also true for the owner itself, so that a retry goes on. */
  acquire(partition: Partition, token: string): Promise<boolean>
  /** False where the lock is another's by now. */
  renew(partition: Partition, token: string): Promise<boolean>
  release(partition: Partition, token: string): Promise<void>
}

export interface PartitionLockOptions<Partition> {
  readonly store: LockStore
  /** How long an owner that was stopped blocks its partitions. */
  readonly lockSeconds: number
  /** Where the lock of a partition is kept. */
  readonly keyOf: (partition: Partition) => string
}

export function createPartitionLock<Partition>(
  options: PartitionLockOptions<Partition>,
): PartitionLock<Partition> {
  assertOptions('createPartitionLock', options, {
    store: anObject,
    lockSeconds: numberAbove(0, Number.MAX_SAFE_INTEGER),
    keyOf: aFunction,
  })
  const { store, lockSeconds, keyOf } = options
  const duration = { lockMs: lockSeconds * 1000, ttlMs: lockSeconds * 1000 }
  return {
    async acquire(partition, token) {
      const { state } = await store.acquire({ key: keyOf(partition), token, ...duration })
      return state === 'acquired'
    },
    renew: (partition, token) => store.renew({ key: keyOf(partition), token }, duration),
    async release(partition, token) {
      await store.release({ key: keyOf(partition), token })
    },
  }
}

/** Whether the lock is the token's: renewed, or taken once more if it expired and nobody has it. */
export async function holdLock<Partition>(
  lock: Pick<PartitionLock<Partition>, 'renew' | 'acquire'>,
  partition: Partition,
  token: string,
): Promise<boolean> {
  return (await lock.renew(partition, token)) || (await lock.acquire(partition, token))
}
