import { createBatchWriter } from '@stepwright/batch-writer'
import { type ConnectionPool, createPostgresRowSink, type FastPath } from '@stepwright/batch-writer/postgres'
import { chunk, type Dataset, type Row } from './data.ts'

let jobs = 0

export interface LoadOptions {
  readonly upsert?: boolean
  readonly path?: FastPath | 'auto'
  readonly batchSize?: number
  /** Chunks in flight. */
  readonly concurrency?: number
}

/** Writes all chunks as a new job; resolves to how many rows were rejected. */
export async function load(
  pool: ConnectionPool,
  { table, columns, key, updated }: Dataset,
  chunks: readonly (readonly Row[])[],
  { upsert = false, path = 'auto', batchSize = chunk, concurrency = 1 }: LoadOptions = {},
): Promise<number> {
  jobs += 1
  const jobId = `job ${jobs}`
  const keyed =
    updated.length === 0
      ? ({ mode: 'ignore', key } as const)
      : ({ mode: 'update', key, columns: updated } as const)
  const sink = createPostgresRowSink({
    pool,
    tableName: table,
    columns,
    conflict: upsert ? keyed : { mode: 'insert' },
    path,
  })
  const writer = createBatchWriter<object>({ sink, batchSize })
  let rejected = 0
  const queue = chunks.entries()
  const work = async (): Promise<void> => {
    for (const [i, rows] of queue) {
      const result = await writer.write<Row>({
        jobId,
        chunk: String(i),
        checksum: jobId,
        records: () => rows,
      })
      rejected += result.counts.rejected
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return rejected
}
