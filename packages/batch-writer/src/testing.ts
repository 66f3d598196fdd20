import { type TestRunner, testRunner } from '@stepwright/task/testing'
import type { CallLimits } from './call-limits.ts'
import { type ChunkLedger, noCounts } from './chunk-ledger.ts'
import type { Conflict } from './conflict.ts'
import {
  type ChunkClaim,
  type ChunkCounts,
  type ChunkTransaction,
  RefusedBatchError,
  type RejectedRow,
  type RowSink,
} from './row-sink.ts'
import { createBatchWriter } from './writer/batch-writer.ts'

export { type ExpectedJob, findJobProblems } from './job-problems.ts'

/** What the contract writes: `id` is unique, `name` must not be null, `area` and `visits` are integers. */
export interface ContractRow {
  readonly id: number
  readonly area: number
  readonly name: string | null
  readonly visits: number
}

export interface SinkUnderTest {
  readonly sink: RowSink<ContractRow>
  /** A second sink on the same table, as another process would have it. */
  readonly other: RowSink<ContractRow>
  /** What is stored, by id. */
  stored(): Promise<readonly ContractRow[]>
}

export interface LedgerUnderTest {
  readonly sink: RowSink<ContractRow>
  readonly ledger: ChunkLedger
}

const limits: CallLimits = {
  signal: new AbortController().signal,
  remainingMs: () => Number.POSITIVE_INFINITY,
}
const claim: ChunkClaim = { jobId: 'job', chunk: '1', checksum: 'a', attempt: 1 }
const counts: ChunkCounts = { ...noCounts, received: 1, inserted: 1 }

async function open(
  sink: RowSink<ContractRow>,
  given: Partial<ChunkClaim> = {},
): Promise<ChunkTransaction<ContractRow>> {
  const opened = await sink.begin({ ...claim, ...given }, limits)
  if (!('commit' in opened)) throw new Error('the chunk is recorded already')
  return opened
}

/** The promises of a `RowSink`, as tests. `create` gives an empty table with a ledger of its own. */
export function testRowSink(
  name: string,
  create: (conflict: Conflict<keyof ContractRow>) => Promise<SinkUnderTest>,
  runner: TestRunner = testRunner,
): void {
  const { describe, expect, it } = runner
  const row = (id: number, more: Partial<ContractRow> = {}): ContractRow => ({
    id,
    area: 1,
    name: `name ${id}`,
    visits: 1,
    ...more,
  })
  const rows = (from: number, to: number): ContractRow[] =>
    Array.from({ length: to - from + 1 }, (_, i) => row(from + i))

  describe(`${name} as a RowSink`, () => {
    it('commits rows and record together', async () => {
      const { sink, other, stored } = await create({ mode: 'insert' })
      const transaction = await open(sink)
      expect(await transaction.write([row(1)])).toEqual({ inserted: 1, updated: 0, unchanged: 0 })
      const rejected = [{ rowNumber: 9, reason: 'because', sqlState: '22000', column: 'c', constraint: 'd' }]
      expect(await stored()).toEqual([])
      await transaction.commit({ counts, rejected })
      await transaction.rollback()
      expect(await stored()).toEqual([row(1)])
      expect(await other.begin({ ...claim, checksum: 'b', attempt: 7 }, limits)).toEqual({
        ...claim,
        counts,
        rejected,
      })
    })

    it('leaves neither rows nor claim behind when it is rolled back', async () => {
      const { sink, other, stored } = await create({ mode: 'insert' })
      const transaction = await open(sink)
      await transaction.write([row(1)])
      await transaction.rollback()
      expect(await stored()).toEqual([])
      await (await open(other)).rollback()
    })

    it('lets a second claim wait for the first, and hear what became of it', async () => {
      const { sink, other } = await create({ mode: 'insert' })
      const first = await open(sink)
      const second = other.begin(claim, limits)
      await first.write([row(1)])
      await first.commit({ counts, rejected: [] })
      expect(await second).toMatchObject({ checksum: 'a', counts })
    })

    it('refuses a batch whole and stays usable', async () => {
      const { sink, stored } = await create({ mode: 'insert' })
      const transaction = await open(sink)
      await transaction.write([row(1)])
      const refused = transaction.write([row(2), row(3, { name: null })])
      await expect(refused).rejects.toThrow(RefusedBatchError)
      await expect(transaction.write([row(4), row(1)])).rejects.toThrow(RefusedBatchError)
      await transaction.write([row(5)])
      await transaction.commit({ counts, rejected: [] })
      expect(await stored()).toEqual([row(1), row(5)])
    })

    it('counts what is new and what was there', async () => {
      const { sink, stored } = await create({ mode: 'ignore', key: ['id'] })
      const transaction = await open(sink)
      expect(await transaction.write(rows(1, 3))).toEqual({ inserted: 3, updated: 0, unchanged: 0 })
      expect(await transaction.write(rows(2, 5))).toEqual({ inserted: 2, updated: 0, unchanged: 2 })
      expect(await transaction.write(rows(2, 5))).toEqual({ inserted: 0, updated: 0, unchanged: 4 })
      await transaction.commit({ counts, rejected: [] })
      expect(await stored()).toEqual(rows(1, 5))
    })

    it('keeps, overwrites or adds to what is stored, and counts each', async () => {
      const write = async (
        conflict: Conflict<keyof ContractRow>,
      ): Promise<{ counts: unknown; stored: unknown }> => {
        const { sink, stored } = await create(conflict)
        const writer = createBatchWriter({ sink })
        await writer.write({ jobId: 'a', chunk: '1', checksum: 'x', records: () => rows(1, 3) })
        const again = [row(2), row(3, { name: 'new', visits: 5 }), row(4), row(4, { name: 'last' })]
        const result = await writer.write({ jobId: 'b', chunk: '1', checksum: 'x', records: () => again })
        return { counts: result.counts, stored: (await stored()).slice(1) }
      }
      const given = { received: 4, inserted: 1, duplicates: 1, rejected: 0 }
      expect(await write({ mode: 'ignore', key: ['id'] })).toEqual({
        counts: { ...given, updated: 0, unchanged: 2 },
        stored: [row(2), row(3), row(4)],
      })
      expect(await write({ mode: 'update', key: ['id'], columns: ['name'] })).toEqual({
        counts: { ...given, updated: 1, unchanged: 1 },
        stored: [row(2), row(3, { name: 'new' }), row(4, { name: 'last' })],
      })
      expect(await write({ mode: 'increment', key: ['id'], columns: ['visits'], update: ['name'] })).toEqual({
        counts: { ...given, updated: 2, unchanged: 0 },
        stored: [
          row(2, { visits: 2 }),
          row(3, { name: 'new', visits: 6 }),
          row(4, { name: 'last', visits: 2 }),
        ],
      })
    })

    it('keeps the newer row, whatever the order of the chunks', async () => {
      const { sink, stored } = await create({
        mode: 'update',
        key: ['id'],
        columns: ['name'],
        newest: ['visits'],
      })
      const writer = createBatchWriter({ sink })
      const write = async (chunk: string, records: readonly ContractRow[]) =>
        (await writer.write({ jobId: 'job', chunk, checksum: 'x', records: () => records })).counts
      await write('1', [row(1, { visits: 5, name: 'old' })])
      const late = [
        row(1, { visits: 9, name: 'new' }),
        row(2, { visits: 8 }),
        row(2, { visits: 7, name: 'older' }),
      ]
      expect(await write('3', late)).toMatchObject({ inserted: 1, updated: 1, duplicates: 1 })
      const early = [row(1, { visits: 6, name: 'older' }), row(2, { visits: 6, name: 'older' }), row(3)]
      expect(await write('2', early)).toMatchObject({ inserted: 1, updated: 0, unchanged: 2 })
      expect(await stored()).toEqual([row(1, { visits: 9, name: 'new' }), row(2, { visits: 8 }), row(3)])
    })

    it('clears a scope once per job', async () => {
      const { sink, other, stored } = await create({ mode: 'replace', scope: ['area'] })
      const transaction = await open(sink)
      await transaction.write([...rows(1, 5), row(6, { area: 2 })])
      await transaction.commit({ counts, rejected: [] })
      const both = [sink.clearScope('job', { area: 1 }, limits), other.clearScope('job', { area: 1 }, limits)]
      expect(await Promise.all(both)).toEqual([5, 5])
      expect(await stored()).toEqual([row(6, { area: 2 })])
      const writer = createBatchWriter({ sink: other })
      await writer.write({
        jobId: 'job',
        chunk: '2',
        checksum: 'x',
        scope: { area: 1 },
        records: () => rows(7, 8),
      })
      expect(await sink.clearScope('job', { area: 1 }, limits)).toBe(5)
      expect(await stored()).toEqual([row(6, { area: 2 }), ...rows(7, 8)])
      expect(await sink.clearScope('next job', { area: 1 }, limits)).toBe(2)
    })

    it('clears what is below a value, in any conflict mode', async () => {
      const { sink, stored } = await create({ mode: 'ignore', key: ['id'] })
      const transaction = await open(sink)
      await transaction.write([row(1), row(2, { area: 2 }), row(3, { area: 3 }), row(4, { area: 1 })])
      await transaction.commit({ counts, rejected: [] })
      expect(await sink.clearScope('job', { area: { below: 3 }, visits: 1 }, limits)).toBe(3)
      expect(await stored()).toEqual([row(3, { area: 3 })])
    })

    it('does nothing for a call that was aborted', async () => {
      const { sink } = await create({ mode: 'insert' })
      const signal = AbortSignal.abort(new Error('no more time'))
      await expect(sink.begin(claim, { ...limits, signal })).rejects.toThrow('no more time')
    })
  })
}

/** The promises of a `ChunkLedger`, as tests. `create` gives an empty ledger with the sink that writes it. */
export function testChunkLedger(
  name: string,
  create: () => Promise<LedgerUnderTest>,
  runner: TestRunner = testRunner,
): void {
  const { describe, expect, it } = runner
  const rejection = (rowNumber: number): RejectedRow => ({ rowNumber, reason: `row ${rowNumber} is bad` })
  const tomorrow = new Date(Date.now() + 86_400_000)

  async function commit(
    sink: RowSink<ContractRow>,
    given: Partial<ChunkClaim>,
    rejected: readonly RejectedRow[] = [],
  ): Promise<void> {
    const transaction = await open(sink, given)
    await transaction.commit({ counts: { ...counts, rejected: rejected.length }, rejected })
  }

  describe(`${name} as a ChunkLedger`, () => {
    it('finds the chunks that were committed, in the order asked for', async () => {
      const { sink, ledger } = await create()
      await commit(sink, { chunk: '1', attempt: 3 }, [rejection(7)])
      await commit(sink, { chunk: '2' })
      await commit(sink, { jobId: 'another', chunk: '3' })
      await (await open(sink, { chunk: '4' })).rollback()
      expect(await ledger.find('job', ['4', '2', '3', '1'])).toEqual([
        { ...claim, chunk: '2', counts, rejected: [] },
        { ...claim, attempt: 3, counts: { ...counts, rejected: 1 }, rejected: [rejection(7)] },
      ])
      expect(await ledger.find('job', [])).toEqual([])
    })

    it('waits for a chunk that is being written, and hears what became of it', async () => {
      const { sink, ledger } = await create()
      const kept = await open(sink)
      const committed = ledger.find('job', ['1'])
      await kept.commit({ counts, rejected: [] })
      expect(await committed).toEqual([{ ...claim, counts, rejected: [] }])
      const dropped = await open(sink, { chunk: '2' })
      const rolledBack = ledger.find('job', ['2'])
      await dropped.rollback()
      expect(await rolledBack).toEqual([])
    })

    it('claims nothing by looking', async () => {
      const { sink, ledger } = await create()
      await ledger.find('job', ['1'])
      await commit(sink, { chunk: '1' })
      expect(await ledger.find('job', ['1'])).toHaveLength(1)
    })

    it('adds up a job, and names its first rejected rows', async () => {
      const { sink, ledger } = await create()
      await commit(sink, { chunk: '10' }, [rejection(20), rejection(21)])
      await commit(sink, { chunk: '9' }, [rejection(3), rejection(100)])
      await commit(sink, { jobId: 'another' }, [rejection(1)])
      await sink.clearScope('job', { area: 1 }, limits)
      const total = { ...noCounts, received: 2, inserted: 2, rejected: 4 }
      expect(await ledger.summarize('job', { maxRejectedRows: 3 })).toEqual({
        chunks: 2,
        counts: total,
        rejected: [rejection(3), rejection(20), rejection(21)],
      })
      expect(await ledger.summarize('job', { maxRejectedRows: 0 })).toMatchObject({
        counts: total,
        rejected: [],
      })
      expect(await ledger.summarize('nobody')).toEqual({ chunks: 0, counts: noCounts, rejected: [] })
    })

    it('forgets what was completed before, of all jobs or of one', async () => {
      const { sink, ledger } = await create()
      for (const chunk of ['1', '2', '3']) await commit(sink, { chunk })
      await commit(sink, { jobId: 'another' })
      expect(await ledger.purge({ completedBefore: new Date(0) })).toEqual({ deleted: 0, done: true })
      expect(await ledger.purge({ completedBefore: tomorrow, jobId: 'job' })).toEqual({
        deleted: 3,
        done: true,
      })
      expect(await ledger.find('job', ['1', '2', '3'])).toEqual([])
      expect(await ledger.purge({ completedBefore: tomorrow })).toEqual({ deleted: 1, done: true })
    })

    it('does nothing for a call that was aborted', async () => {
      const { ledger } = await create()
      const signal = AbortSignal.abort(new Error('no more time'))
      await expect(ledger.find('job', ['1'], { signal })).rejects.toThrow('no more time')
      await expect(ledger.summarize('job', { signal })).rejects.toThrow('no more time')
      await expect(ledger.purge({ completedBefore: tomorrow, signal })).rejects.toThrow('no more time')
    })
  })
}
