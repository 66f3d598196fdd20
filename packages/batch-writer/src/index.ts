export type { CallLimits } from './call-limits.ts'
export type {
  ChunkLedger,
  LedgerSummary,
  PurgeOptions,
  PurgeResult,
  SummarizeOptions,
} from './chunk-ledger.ts'
export type { Conflict, KeyedConflict } from './conflict.ts'
export {
  type CountedChunkEntry,
  type ReadOutcomesOptions,
  type ReadOutcomesPorts,
  type RowOutcome,
  readOutcomeBatches,
  readOutcomes,
} from './read-outcomes.ts'
export {
  createOutcomeCounter,
  type ErrorGroup,
  type OutcomeCounts,
  type RejectedCsvOptions,
  type ReportedRow,
  type RowError,
  reportRow,
  toRejectedCsv,
} from './report-rows.ts'
export {
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
  type ScopeValue,
  type WriteCounts,
} from './row-sink.ts'
export {
  type BatchWriter,
  type BatchWriterOptions,
  type ChunkInput,
  type ChunkProgress,
  type ChunkResult,
  createBatchWriter,
} from './writer/batch-writer.ts'
export { checksumOf } from './writer/checksum.ts'
export type { NumberedRows, RecordSource, Records, ToRow } from './writer/read-batches.ts'
export type { RejectionLimit } from './writer/rejections.ts'
export type { AttemptRetry, RetryOptions } from './writer/retry-transient.ts'
