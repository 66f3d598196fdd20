/** Writes so many users in chunks, five in flight, making the rows as it goes. */
import { createBatchWriter } from '@stepwright/batch-writer'
import { createPostgresPool, createPostgresSink } from '@stepwright/batch-writer/postgres'
import { CHUNK, type Row, rowsOf, users } from './data.ts'

const [url = '', count = '0'] = process.argv.slice(2)
const pool = createPostgresPool({ connectionString: url, concurrency: 5 })
const { table, columns, key, updated } = users
const conflict = { mode: 'update', key, columns: updated } as const
const writer = createBatchWriter<object>({ sink: createPostgresSink({ pool, table, columns, conflict }) })
const starts = Array.from({ length: Number(count) / CHUNK }, (_, i) => i * CHUNK).values()

async function work(): Promise<void> {
  for (const start of starts) {
    await writer.write<Row>({
      job: `users ${count}`,
      chunk: String(start),
      checksum: 'x',
      records: () => rowsOf(users, start, start + CHUNK),
    })
  }
}
await Promise.all([1, 2, 3, 4, 5].map(work))
await pool.end()
