import {
  ConflictError,
  DatabaseConnectionError,
  DataValidationError,
  TemporaryError,
} from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import { createMemoryRowSink } from './memory-row-sink.ts'
import { type ReadOutcomesOptions, type ReadOutcomesPorts, readOutcomes } from './read-outcomes.ts'
import { createBatchWriter } from './writer/batch-writer.ts'

const entries = [0, 1].map(index => ({
  jobId: 'job',
  chunk: { index, firstRow: index * 3 + 1, rowCount: 3 },
}))
type Ports = ReadOutcomesPorts<(typeof entries)[number], string>

const limits = { signal: new AbortController().signal, remainingMs: () => Number.POSITIVE_INFINITY }

async function* readChunk({ chunk: { firstRow } }: (typeof entries)[number]) {
  yield { firstRow, rows: [`row ${firstRow}`, `row ${firstRow + 1}`] }
  yield { firstRow: firstRow + 2, rows: [`row ${firstRow + 2}`] }
}

/** The first chunk is written, its second row rejected; the second chunk is not. */
async function firstChunkWritten() {
  const sink = createMemoryRowSink<{ text: string }>()
  const [entry] = entries
  await createBatchWriter({ sink }).write<string>({
    jobId: 'job',
    chunk: '000000',
    checksum: 'x',
    records: () => readChunk(entry as (typeof entries)[number]),
    toRow: (text, rowNumber) => {
      if (rowNumber === 2) throw new DataValidationError('bad')
      return { text }
    },
  })
  return sink.ledger
}

async function collect(ports: Ports, options: Partial<ReadOutcomesOptions> = {}) {
  const found: unknown[] = []
  for await (const { rowNumber, item, ...rest } of readOutcomes(entries, ports, { ...limits, ...options })) {
    const why = 'rejected' in rest ? [rest.rejected.reason, rest.errorName] : []
    found.push([rowNumber, item, rest.outcome, ...why])
  }
  return found
}

describe('readOutcomes', () => {
  it('says of every row whether it was written, rejected or neither', async () => {
    expect(await collect({ ledger: await firstChunkWritten(), readChunk })).toEqual([
      [1, 'row 1', 'written'],
      [2, 'row 2', 'rejected', 'bad', 'DataValidationError'],
      [3, 'row 3', 'written'],
      [4, 'row 4', 'unwritten'],
      [5, 'row 5', 'unwritten'],
      [6, 'row 6', 'unwritten'],
    ])
  })

  it('asks the ledger once for all chunks', async () => {
    const ledger = await firstChunkWritten()
    const asked: unknown[] = []
    const find: typeof ledger.find = (jobId, chunks) => {
      asked.push(chunks)
      return ledger.find(jobId, chunks)
    }
    await collect({ ledger: { find }, readChunk })
    expect(asked).toEqual([['000000', '000001']])
  })

  it('counts the rows of a file that is gone from where it went', async () => {
    async function* replaced(entry: (typeof entries)[number]) {
      for await (const batch of readChunk(entry)) {
        yield batch
        throw new ConflictError('replaced')
      }
    }
    const ledger = await firstChunkWritten()
    expect((await collect({ ledger, readChunk: replaced })).slice(0, 3)).toEqual([
      [1, 'row 1', 'written'],
      [2, 'row 2', 'rejected', 'bad', 'DataValidationError'],
      [3, undefined, 'written'],
    ])
  })

  it('names what the database refused', async () => {
    const record = {
      jobId: 'job',
      chunk: '000000',
      checksum: 'x',
      attempt: 1,
      counts: { received: 3, inserted: 2, updated: 0, unchanged: 0, duplicates: 0, rejected: 1 },
      rejected: [{ rowNumber: 3, reason: 'duplicate key', sqlState: '23505' }],
    }
    const found = await collect({ ledger: { find: async () => [record] }, readChunk })
    expect(found[2]).toEqual([3, 'row 3', 'rejected', 'duplicate key', 'ConflictError'])
  })

  it('takes a database that cannot be asked for one that knows nothing, if told so', async () => {
    const find = () => Promise.reject(new DatabaseConnectionError('nobody answers'))
    const ports = { ledger: { find }, readChunk }
    await expect(collect(ports)).rejects.toThrow('nobody answers')
    const found = await collect(ports, { unreachable: 'unwritten' })
    expect(found).toHaveLength(6)
    expect(found[0]).toEqual([1, 'row 1', 'unwritten'])
    const broken = { ...ports, ledger: { find: () => Promise.reject(new Error('a bug')) } }
    await expect(collect(broken, { unreachable: 'unwritten' })).rejects.toThrow('a bug')
  })

  it('fails with what passes', async () => {
    async function* failing(entry: (typeof entries)[number]) {
      yield* readChunk(entry)
      throw new TemporaryError('later')
    }
    await expect(collect({ ledger: await firstChunkWritten(), readChunk: failing })).rejects.toThrow('later')
  })
})
