import { createPartitionLock, type LockStore, type PartitionLock } from '@stepwright/partitions'
import { type Partition, partitionPrefix } from './dataset.ts'

/** One execution at a time has a day. Its id is the token that fences off an execution that was too slow. */
export interface DayLock extends PartitionLock<Partition> {
  /** For a job that renews the lock while it works, by its own client. */
  argumentsOf(partition: Partition, executionId: string): Readonly<Record<string, string>>
}

export interface DayLockOptions {
  readonly store: LockStore
  readonly tableName: string
  /** The job renews the lock well before. */
  readonly lockSeconds: number
}

export function createDayLock({ store, tableName, lockSeconds }: DayLockOptions): DayLock {
  return {
    ...createPartitionLock({ store, lockSeconds, keyOf: partitionPrefix }),
    argumentsOf: (partition, executionId) => ({
      '--lock_table': tableName,
      '--lock_key': partitionPrefix(partition),
      '--lock_token': executionId,
      '--lock_seconds': String(lockSeconds),
    }),
  }
}
