import { type Binding, bindFrom } from '@stepwright/app/bindings'
import type { ChunkLedger } from './chunk-ledger.ts'
import type { ConnectionPool } from './postgres/connection-pool.ts'
import type { PostgresChunkLedgerOptions } from './postgres/postgres-chunk-ledger.ts'
import type { PostgresRowSinkOptions } from './postgres/postgres-row-sink.ts'
import type { RowSink } from './row-sink.ts'
import { type BatchWriter, type BatchWriterOptions, createBatchWriter } from './writer/batch-writer.ts'

/** Writes rows into a table: `rowWriter<Contact>(postgres(db), { tableName: 'contact', columns: ['email'] })`. */
export function rowWriter<Row extends object>(
  pool: Binding<ConnectionPool>,
  table: Omit<PostgresRowSinkOptions<keyof Row & string>, 'pool'>,
  options: Omit<BatchWriterOptions<Row>, 'sink'> = {},
): Binding<BatchWriter<Row>> {
  return bindFrom(pool, async opened => {
    const { createPostgresRowSink } = await import('./postgres/postgres-row-sink.ts')
    const sink: unknown = createPostgresRowSink({ ...table, pool: opened })
    return createBatchWriter({ ...options, sink: sink as RowSink<Row> })
  })
}

/** Reads the ledger of what was written. */
export function chunkLedger(
  pool: Binding<ConnectionPool>,
  options: Omit<PostgresChunkLedgerOptions, 'pool'> = {},
): Binding<ChunkLedger> {
  return bindFrom(pool, async opened => {
    const { createPostgresChunkLedger } = await import('./postgres/postgres-chunk-ledger.ts')
    return createPostgresChunkLedger({ ...options, pool: opened })
  })
}
