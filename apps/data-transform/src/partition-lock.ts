import type { IdempotencyStore } from '@stepwright/idempotency'
import type { Partition } from './dataset.ts'
import { partitionPrefix } from './dataset.ts'

/** One execution at a time has a partition. Its id is the token that fences off an execution that was too slow. */
export interface PartitionLock {
  /** Also true for the owner itself, so that a retry goes on. */
  acquire(partition: Partition, executionId: string): Promise<boolean>
  /** False where the lock is another's by now. */
  renew(partition: Partition, executionId: string): Promise<boolean>
  release(partition: Partition, executionId: string): Promise<void>
  /** For a job that renews the lock while it works, by its own client. */
  argumentsOf(partition: Partition, executionId: string): Readonly<Record<string, string>>
}

export interface PartitionLockOptions {
  readonly store: IdempotencyStore
  readonly tableName: string
  /** How long an execution that was stopped blocks its partitions; the job renews the lock well before. */
  readonly lockSeconds: number
}

export function createPartitionLock({ store, tableName, lockSeconds }: PartitionLockOptions): PartitionLock {
  const span = { lockMs: lockSeconds * 1000, ttlMs: lockSeconds * 1000 }
  const lockOn = (partition: Partition, token: string) => ({ key: partitionPrefix(partition), token })
  return {
    async acquire(partition, executionId) {
      const { state } = await store.acquire({ ...lockOn(partition, executionId), ...span })
      return state === 'acquired'
    },
    renew: (partition, executionId) => store.renew(lockOn(partition, executionId), span),
    async release(partition, executionId) {
      await store.release(lockOn(partition, executionId))
    },
    argumentsOf(partition, executionId) {
      const { key, token } = lockOn(partition, executionId)
      return {
        '--lock_table': tableName,
        '--lock_key': key,
        '--lock_token': token,
        '--lock_seconds': String(lockSeconds),
      }
    },
  }
}
