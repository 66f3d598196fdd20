export {
  type BatchWriter,
  type BatchWriterOptions,
  type Chunk,
  type ChunkProgress,
  type ChunkResult,
  createBatchWriter,
} from './batch-writer.ts'
export { checksumOf } from './checksum.ts'
export { assertConflict, type Conflict, changedColumns, isKeyed, type KeyedConflict } from './conflict.ts'
export type { RecordSource, ToRow } from './read-batches.ts'
export type { RejectionLimit } from './rejections.ts'
export type { RetryOptions } from './retry-transient.ts'
export {
  type CallLimits,
  type ChunkClaim,
  type ChunkCounts,
  type ChunkKey,
  type ChunkRecord,
  type ChunkTransaction,
  type Refusal,
  RefusedBatchError,
  type RejectedRow,
  type RowSink,
  type Scope,
  type WriteCounts,
} from './row-sink.ts'
