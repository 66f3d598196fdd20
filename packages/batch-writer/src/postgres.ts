export type {
  ConnectionPool,
  PoolConnection,
  Submittable,
  Wire,
} from './postgres/connection-pool.ts'
export type { CopyFormat } from './postgres/copy-data.ts'
export type { FastPath } from './postgres/fast-path.ts'
export {
  createPostgresChunkLedger,
  type PostgresChunkLedgerOptions,
} from './postgres/postgres-chunk-ledger.ts'
export { createPostgresRowSink, type PostgresRowSinkOptions } from './postgres/postgres-row-sink.ts'
export type { Timeouts } from './postgres/session.ts'
