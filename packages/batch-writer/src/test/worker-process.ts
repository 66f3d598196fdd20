/**
 * Writes chunks for a parent that may kill it at any moment: takes `{ chunk }`, answers `{ started }`,
 * then `{ written, status }`.
 */

import { createPostgresPool } from '@stepwright/postgres'
import { createPostgresRowSink } from '../postgres.ts'
import { createBatchWriter } from '../writer/batch-writer.ts'
import { chunkRows, type Order, type Report } from './kill-data.ts'

const [connectionString = '', table = ''] = process.argv.slice(2)
const pool = createPostgresPool({ connectionString })
const sink = createPostgresRowSink({
  pool,
  tableName: table,
  columns: ['id', 'email'],
  conflict: { mode: 'ignore', key: ['email'] },
})
const writer = createBatchWriter<object>({ sink })

function tell(report: Report): void {
  process.send?.(report)
}

process.on('message', async ({ chunk, chunkSize }: Order) => {
  tell({ chunk, event: 'started' })
  const { status, counts } = await writer.write({
    jobId: table,
    chunk: String(chunk),
    checksum: String(chunk),
    records: () => chunkRows(chunk, chunkSize),
  })
  tell({ chunk, event: status, inserted: counts.inserted })
})
tell({ chunk: -1, event: 'ready' })
