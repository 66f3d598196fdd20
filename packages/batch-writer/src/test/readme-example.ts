import { type ChunkResult, checksumOf, createBatchWriter } from '@stepwright/batch-writer'
import { createPostgresRowSink } from '@stepwright/batch-writer/postgres'
import { createPostgresPool } from '@stepwright/postgres'

interface Database {
  recipients: { campaign_id: number; email: string }
}

export async function importChunk(connectionString: string): Promise<ChunkResult> {
  const pool = createPostgresPool({ connectionString })
  const sink = createPostgresRowSink<Database, 'recipients'>({
    pool,
    tableName: 'recipients',
    columns: ['campaign_id', 'email'],
    conflict: { mode: 'ignore', key: ['campaign_id', 'email'] },
  })
  const writer = createBatchWriter({ sink })

  const entry = { jobId: 'campaign-7', chunk: '003', file: 'uploads/7.csv', start: 81_920, end: 122_880 }
  const result = await writer.write({
    jobId: entry.jobId,
    chunk: entry.chunk,
    checksum: checksumOf(entry),
    records: () => [
      { email: 'ada@example.com' },
      { email: 'ada@example.com' },
      { email: 'grace@example.com' },
    ],
    toRow: ({ email }) => ({ campaign_id: 7, email }),
  })
  await pool.end()
  return result // a second call writes nothing and returns the same, with status: 'recorded'
}
