import { createMemorySink } from './memory-sink.ts'
import { type ContractRow, testRowSink } from './testing.ts'

testRowSink('the memory sink', async conflict => {
  const sink = createMemorySink<ContractRow>({
    conflict,
    unique: ['id'],
    refuse: row => (row.name === null ? { reason: 'name is null', column: 'name' } : undefined),
  })
  return { sink, other: sink, stored: async () => sink.rows().toSorted((a, b) => a.id - b.id) }
})
