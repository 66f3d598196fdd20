import { type ChunkResult, checksumOf, createBatchWriter } from '@stepwright/batch-writer'
import { createMemoryRowSink } from '@stepwright/batch-writer/memory'

const sink = createMemoryRowSink<{ email: string }>({ conflict: { mode: 'ignore', key: ['email'] } })
const writer = createBatchWriter({ sink })
const chunk = { jobId: 'contacts-7', chunk: '003' }

function deliver(): Promise<ChunkResult> {
  return writer.write({
    ...chunk,
    checksum: checksumOf(chunk),
    records: () => [{ email: 'ada@example.com' }, { email: 'grace@example.com' }],
    toRow: record => record,
  })
}

export const first: ChunkResult = await deliver() // status 'written', counts { received: 2, inserted: 2, … }
export const again: ChunkResult = await deliver() // status 'recorded', the same counts: nothing was written
