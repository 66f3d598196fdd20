import { ConflictError, DataValidationError } from '@stepwright/errors'
import { describeTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type ChunkProgress, createBatchWriter } from './batch-writer.ts'
import { createMemorySink } from './memory-sink.ts'
import { writeChunk } from './write-chunk.ts'

interface Recipient {
  readonly campaign_id: number
  readonly email: string
}

const entry = { job: 'campaign-7', chunk: '003', campaignId: 7, firstRowNumber: 11 }
const schema = z.object({
  job: z.string(),
  chunk: z.string(),
  campaignId: z.number(),
  firstRowNumber: z.number(),
})

function task(lines: readonly string[]) {
  const sink = createMemorySink<Recipient>()
  const progress: ChunkProgress[] = []
  const write = writeChunk({
    entry: schema,
    readChunk: async function* () {
      yield lines
    },
    toRow: (line: string, rowNumber, { campaignId }) => {
      if (!line.includes('@')) throw new DataValidationError(`row ${rowNumber} has no address`)
      return { campaign_id: campaignId, email: line }
    },
    writer: createBatchWriter<Recipient>({ sink, batchSize: 2 }),
    onProgress: step => void progress.push(step),
  })
  return { sink, write, progress }
}

describe('writeChunk', () => {
  it('writes the rows of a manifest entry and reports how it went', async () => {
    const { sink, write, progress } = task(['a@x', 'nobody', 'b@x', 'c@x'])
    expect(await write.run(entry)).toEqual({
      job: 'campaign-7',
      chunk: '003',
      status: 'written',
      attempt: 1,
      counts: { received: 4, inserted: 3, updated: 0, unchanged: 0, duplicates: 0, rejected: 1 },
      rejected: [{ rowNumber: 12, reason: 'row 12 has no address' }],
    })
    expect(sink.rows()).toEqual(['a@x', 'b@x', 'c@x'].map(email => ({ campaign_id: 7, email })))
    expect(progress.map(step => step.counts.inserted)).toEqual([2, 3])
  })

  it('answers a second delivery from the ledger, and refuses a changed entry', async () => {
    const { sink, write } = task(['a@x'])
    const first = await write.run(entry)
    expect(await write.run({ ...entry })).toEqual({ ...first, status: 'recorded' })
    await expect(write.run({ ...entry, campaignId: 8 })).rejects.toThrow(ConflictError)
    expect(sink.rows()).toHaveLength(1)
  })

  it('replaces the scope of its entry', async () => {
    const sink = createMemorySink<Recipient>({ conflict: { mode: 'replace', scope: ['campaign_id'] } })
    const write = writeChunk({
      entry: schema,
      readChunk: () => ['a@x'],
      toRow: (email: string, _rowNumber, { campaignId }) => ({ campaign_id: campaignId, email }),
      writer: createBatchWriter<Recipient>({ sink }),
      scope: ({ campaignId }) => ({ campaign_id: campaignId }),
    })
    await write.run(entry)
    await write.run({ ...entry, job: 'campaign-7 again' })
    expect(sink.rows()).toHaveLength(1)
  })

  it('shows at most a hundred rejected rows', async () => {
    const { write } = task(Array(150).fill('nobody'))
    const { counts, rejected } = await write.run(entry)
    expect([counts.rejected, rejected.length]).toEqual([150, 100])
  })

  it('has a contract that can be read', () => {
    const { name, errors } = describeTask(task([]).write)
    expect(name).toBe('write-chunk')
    expect(errors.map(error => error.name)).toEqual(
      expect.arrayContaining([
        'ConflictError',
        'DatabaseConnectionError',
        'TemporaryError',
        'ValidationError',
      ]),
    )
  })
})
