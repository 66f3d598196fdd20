import { createMemoryRowSink } from './memory-row-sink.ts'
import { type ContractRow, testChunkLedger, testRowSink } from './testing.ts'

testRowSink('the memory sink', async conflict => {
  const sink = createMemoryRowSink<ContractRow>({
    conflict,
    unique: ['id'],
    refuse: row => (row.name === null ? { reason: 'name is null', column: 'name' } : undefined),
  })
  return { sink, other: sink, stored: async () => sink.rows().toSorted((a, b) => a.id - b.id) }
})

testChunkLedger('the ledger of a memory sink', async () => {
  const sink = createMemoryRowSink<ContractRow>()
  return { sink, ledger: sink.ledger }
})
