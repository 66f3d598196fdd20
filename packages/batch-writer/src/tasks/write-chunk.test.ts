import {
  ConflictError,
  CSVValidationError,
  DatabaseConnectionError,
  DataValidationError,
} from '@stepwright/errors'
import { describeTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createMemoryRowSink } from '../memory-row-sink.ts'
import { type ChunkProgress, createBatchWriter } from '../writer/batch-writer.ts'
import type { NumberedRows } from '../writer/read-batches.ts'
import { batchWriterTaskErrors } from './task-errors.ts'
import { writeChunk } from './write-chunk.ts'

interface Recipient {
  readonly campaign_id: number
  readonly email: string
}

const entry = { jobId: 'campaign-7', chunk: '003', campaignId: 7 }
const schema = z.object({ jobId: z.string(), chunk: z.string(), campaignId: z.number() })

function toRecipient({ campaignId }: { readonly campaignId: number }) {
  return (line: string, rowNumber: number): Recipient => {
    if (!line.includes('@')) throw new DataValidationError(`row ${rowNumber} has no address`)
    return { campaign_id: campaignId, email: line }
  }
}

async function* batchesOf(firstRow: number, lines: readonly string[]): AsyncGenerator<NumberedRows<string>> {
  yield { firstRow, rows: lines.slice(0, 2) }
  yield { firstRow: firstRow + 2, rows: lines.slice(2) }
}

function ports(lines: readonly string[], firstRow = 11) {
  const sink = createMemoryRowSink<Recipient>()
  const writer = createBatchWriter<Recipient>({ sink, batchSize: 2 })
  return { sink, writer, readChunk: () => batchesOf(firstRow, lines) }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

describe('writeChunk', () => {
  const write = writeChunk({ input: schema, toRow: toRecipient })

  it('writes the rows of an entry, numbered as its batches say, and reports how it went', async () => {
    const world = ports(['a@x', 'nobody', 'b@x', 'nobody either'])
    expect(await write.run(entry, world)).toEqual({
      chunks: 1,
      recordedChunks: 0,
      counts: { received: 4, inserted: 2, updated: 0, unchanged: 0, duplicates: 0, rejected: 2 },
      rejected: [
        { rowNumber: 12, reason: 'row 12 has no address' },
        { rowNumber: 14, reason: 'row 14 has no address' },
      ],
    })
    expect(world.sink.rows()).toEqual(['a@x', 'b@x'].map(email => ({ campaign_id: 7, email })))
  })

  it('says how far it is', async () => {
    const seen: ChunkProgress[] = []
    const telling = writeChunk({
      input: schema,
      toRow: toRecipient,
      onProgress: step => void seen.push(step),
    })
    await telling.run(entry, ports(['a@x', 'b@x', 'c@x']))
    expect(seen.map(({ chunk, counts }) => [chunk, counts.inserted])).toEqual([
      ['003', 2],
      ['003', 3],
    ])
  })

  it('logs and counts the trouble that it went on after', async () => {
    const world = ports(['a@x'])
    const begin = world.sink.begin.bind(world.sink)
    let lost = 0
    const sink: typeof world.sink = {
      ...world.sink,
      begin(claim, limits) {
        lost += 1
        if (lost === 1) throw new DatabaseConnectionError('the connection was lost')
        return begin(claim, limits)
      },
    }
    const writer = createBatchWriter<Recipient>({ sink, sleep: async () => {}, random: () => 1 })
    const told: unknown[] = []
    const context = {
      logger: { ...silent, warn: (...given: unknown[]) => void told.push(given) },
      metrics: { add: (name: string, value: number) => void told.push(`${name} ${value}`) },
    }
    await write.run(entry, { ...world, writer }, context)
    const { jobId, chunk } = entry
    const reason = 'the connection was lost'
    expect(told).toEqual([
      [
        'chunk failed and is tried again',
        { jobId, chunk, attempt: 1, error: 'DatabaseConnectionError', reason, delayMs: 50 },
      ],
      'Retries 1',
      'RowsWritten 1',
      'RowsRejected 0',
    ])
  })

  it('answers a second delivery from the ledger, and refuses a changed entry', async () => {
    const world = ports(['a@x'])
    const first = await write.run(entry, world)
    expect(await write.run({ ...entry }, world)).toEqual({ ...first, recordedChunks: 1 })
    await expect(write.run({ ...entry, campaignId: 8 }, world)).rejects.toThrow(ConflictError)
    expect(world.sink.rows()).toHaveLength(1)
  })

  it('takes for the same what its identity says', async () => {
    const world = ports(['a@x'])
    const loose = writeChunk({
      input: schema,
      toRow: toRecipient,
      identity: ({ jobId, chunk }) => ({ jobId, chunk }),
    })
    await loose.run(entry, world)
    expect(await loose.run({ ...entry, campaignId: 8 }, world)).toMatchObject({ recordedChunks: 1 })
  })

  it('writes the chunks of an ItemBatcher and adds them up', async () => {
    const input = z.object({
      userRecord: z.object({
        BatchInput: z.object({ jobId: z.string(), campaignId: z.number() }),
        Items: z.array(z.object({ index: z.int(), firstRow: z.int() })),
      }),
    })
    const batch = writeChunk({
      input,
      entries: ({ userRecord: { BatchInput, Items } }) => Items.map(chunk => ({ ...BatchInput, chunk })),
      toRow: toRecipient,
      output: z.object({ rowCount: z.int(), errorCount: z.int() }),
      report: ({ counts }) => ({ rowCount: counts.received, errorCount: counts.rejected }),
    })
    const world = ports([])
    const BatchInput = { jobId: 'job', campaignId: 7 }
    const Items = [
      { index: 0, firstRow: 1 },
      { index: 1, firstRow: 3 },
    ]
    const readChunk = ({ chunk }: { readonly chunk: { readonly firstRow: number } }) =>
      batchesOf(chunk.firstRow, [`${chunk.firstRow}@x`, 'nobody'])
    const report = await batch.run({ userRecord: { BatchInput, Items } }, { ...world, readChunk })
    expect(report).toEqual({ rowCount: 4, errorCount: 2 })
    expect(world.sink.records().map(({ chunk, rejected }) => [chunk, rejected[0]?.rowNumber])).toEqual([
      ['000000', 2],
      ['000001', 4],
    ])
  })

  it('takes an entry or an ItemBatcher’s batch where no input is declared', async () => {
    const any = writeChunk({ toRow: () => (email: string) => ({ campaign_id: 1, email }) })
    const world = ports(['a@x'])
    await any.run({ jobId: 'job', chunk: 'first' }, world)
    await any.run({ BatchInput: { jobId: 'job' }, Items: [{ index: 4 }, 'last'] }, world)
    expect(world.sink.records().map(({ chunk }) => chunk)).toEqual(['first', '000004', 'last'])
    await expect(any.run({ jobId: '', chunk: 'first' }, world)).rejects.toThrow(DataValidationError)
  })

  it('replaces the scope of its entry', async () => {
    const sink = createMemoryRowSink<Recipient>({ conflict: { mode: 'replace', scope: ['campaign_id'] } })
    const replace = writeChunk({
      input: schema,
      toRow: toRecipient,
      scope: ({ campaignId }) => ({ campaign_id: campaignId }),
    })
    const world = { ...ports(['a@x']), writer: createBatchWriter<Recipient>({ sink }) }
    await replace.run(entry, world)
    await replace.run({ ...entry, jobId: 'campaign-7 again' }, world)
    expect(sink.rows()).toHaveLength(1)
  })

  it('shows at most a hundred rejected rows', async () => {
    const { counts, rejected } = await write.run(entry, ports(Array(150).fill('nobody')))
    expect([counts.rejected, rejected.length]).toEqual([150, 100])
  })

  it('throws what its app makes of an error', async () => {
    const explained = writeChunk({
      input: schema,
      toRow: toRecipient,
      errors: [CSVValidationError],
      explain: (error, { chunk }) => new CSVValidationError(`chunk ${chunk} is of no use`, { cause: error }),
    })
    const world = {
      ...ports(['nobody']),
      writer: createBatchWriter({ sink: createMemoryRowSink<Recipient>(), maxRejected: 0 }),
    }
    await expect(explained.run(entry, world)).rejects.toThrow('chunk 003 is of no use')
  })

  it('stops after its own time, and tells the reader', async () => {
    const short = writeChunk({ input: schema, toRow: toRecipient, maxSeconds: 0.001 })
    let reason: unknown
    async function* readForEver(_entry: object, { signal }: { signal: AbortSignal }): AsyncGenerator<string> {
      await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
      reason = signal.reason
      yield 'a@x'
    }
    const failed = short.run(entry, { ...ports([]), readChunk: readForEver })
    await expect(failed).rejects.toMatchObject({ name: 'TaskTimeoutError' })
    expect(reason).toBeDefined()
  })

  it('has a contract that can be read without a database', () => {
    const { name, errors, needs } = describeTask(write)
    expect(name).toBe('write-chunk')
    expect(Object.keys(needs?.ports ?? {})).toEqual(['writer', 'readChunk'])
    expect(errors.map(error => error.name)).toEqual(
      expect.arrayContaining(batchWriterTaskErrors.map(error => error.errorName)),
    )
  })
})
