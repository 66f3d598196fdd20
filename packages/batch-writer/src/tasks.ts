export { type ChunkEntry, type EntryBatch, type EntryOf, toEntries } from './tasks/chunk-entry.ts'
export {
  type ClearScopeInput,
  type ClearScopeOptions,
  type ClearScopePorts,
  clearScope,
} from './tasks/clear-scope.ts'
export {
  type PurgeLedgerInput,
  type PurgeLedgerOptions,
  type PurgeLedgerPorts,
  purgeLedger,
} from './tasks/purge-ledger.ts'
export {
  type PurgeRowsInput,
  type PurgeRowsOptions,
  type PurgeRowsPorts,
  purgeRows,
} from './tasks/purge-rows.ts'
export {
  type SummarizeLedgerInput,
  type SummarizeLedgerOptions,
  type SummarizeLedgerPorts,
  summarizeLedger,
} from './tasks/summarize-ledger.ts'
export { batchWriterTaskErrors } from './tasks/task-errors.ts'
export {
  type ReadChunk,
  type WriteChunkOptions,
  type WriteChunkPorts,
  type WriteReport,
  writeChunk,
} from './tasks/write-chunk.ts'
