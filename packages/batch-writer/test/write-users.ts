/** Writes so many users in chunks, one after the other as a Lambda does, making the rows as it goes. */
import { createBatchWriter } from '@stepwright/batch-writer'
import { createPostgresRowSink } from '@stepwright/batch-writer/postgres'
import { createPostgresPool } from '@stepwright/postgres'
import { chunk, type Row, users } from '../bench/data.ts'

const [url = '', count = '0'] = process.argv.slice(2)
const pool = createPostgresPool({ connectionString: url })
const { table, columns, key, updated } = users
const conflict = { mode: 'update', key, columns: updated } as const
const writer = createBatchWriter<object>({
  sink: createPostgresRowSink({ pool, tableName: table, columns, conflict }),
})

function* rowsFrom(start: number): Generator<Row> {
  for (let i = start; i < start + chunk; i += 1) yield users.row(i)
}

async function main(): Promise<void> {
  for (let start = 0; start < Number(count); start += chunk) {
    await writer.write<Row>({
      jobId: `users ${count}`,
      chunk: String(start),
      checksum: 'x',
      records: () => rowsFrom(start),
    })
  }
  await pool.end()
}
void main()
