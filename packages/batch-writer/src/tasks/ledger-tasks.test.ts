import { CSVValidationError, DatabaseConnectionError, DataValidationError } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createMemoryRowSink } from '../memory-row-sink.ts'
import { createBatchWriter } from '../writer/batch-writer.ts'
import { clearScope } from './clear-scope.ts'
import { purgeLedger } from './purge-ledger.ts'
import { purgeRows } from './purge-rows.ts'
import { summarizeLedger } from './summarize-ledger.ts'

const dayMs = 86_400_000

async function written() {
  const sink = createMemoryRowSink<{ area: number }>({ now: () => 0 })
  const writer = createBatchWriter({ sink })
  for (const chunk of ['1', '2']) {
    await writer.write<number>({
      jobId: 'job',
      chunk,
      checksum: 'x',
      records: () => [1, 2, 3],
      toRow: (area, rowNumber) => {
        if (area === 3) throw new DataValidationError(`row ${rowNumber} is bad`)
        return { area }
      },
      firstRowNumber: Number(chunk) * 10,
    })
  }
  return { sink, writer, ledger: sink.ledger }
}

describe('summarizeLedger', () => {
  it('adds up the chunks of a job and names the first rejected rows', async () => {
    const task = summarizeLedger({ maxRejectedRows: 1 })
    expect(await task.run({ jobId: 'job' }, await written())).toEqual({
      chunks: 2,
      counts: { received: 6, inserted: 4, updated: 0, unchanged: 0, duplicates: 0, rejected: 2 },
      rejected: [{ rowNumber: 12, reason: 'row 12 is bad' }],
    })
    expect(await task.run({ jobId: 'another' }, await written())).toMatchObject({ chunks: 0, rejected: [] })
  })

  it('reports as its app wants it, and fails where the sums are not as they should be', async () => {
    const task = summarizeLedger({
      input: z.object({ campaign: z.string(), most: z.int() }),
      jobId: ({ campaign }) => campaign,
      output: z.object({ total: z.int() }),
      report: ({ counts }, { most }) => {
        if (counts.rejected > most) throw new CSVValidationError(`${counts.rejected} rows are bad`)
        return { total: counts.inserted }
      },
      errors: [CSVValidationError],
    })
    expect(await task.run({ campaign: 'job', most: 2 }, await written())).toEqual({ total: 4 })
    await expect(task.run({ campaign: 'job', most: 1 }, await written())).rejects.toThrow('2 rows are bad')
  })
})

describe('clearScope', () => {
  it('deletes what a job replaces, once', async () => {
    const { writer, sink } = await written()
    const task = clearScope()
    expect(await task.run({ jobId: 'new', scope: { area: 1 } }, { writer })).toEqual({ deleted: 2 })
    expect(await task.run({ jobId: 'new', scope: { area: 1 } }, { writer })).toEqual({ deleted: 2 })
    expect(sink.rows()).toEqual([{ area: 2 }, { area: 2 }])
  })

  it('counts the trouble that it went on after', async () => {
    const { sink } = await written()
    let lost = 0
    const shaky: typeof sink = {
      ...sink,
      async clearScope(...given) {
        lost += 1
        if (lost === 1) throw new DatabaseConnectionError('the connection was lost')
        return sink.clearScope(...given)
      },
    }
    const writer = createBatchWriter({ sink: shaky, sleep: async () => {} })
    const counted: string[] = []
    const metrics = { add: (name: string, value: number) => void counted.push(`${name} ${value}`) }
    const input = { jobId: 'new', scope: { area: 1 } }
    expect(await clearScope().run(input, { writer }, { metrics })).toEqual({ deleted: 2 })
    expect(counted).toEqual(['Retries 1'])
  })

  it('deletes what is below a value, for an input of its app', async () => {
    const { writer, sink } = await written()
    const task = clearScope({
      input: z.object({ revision: z.int() }),
      target: ({ revision }) => ({ jobId: `revision ${revision}`, scope: { area: { below: revision } } }),
    })
    expect(await task.run({ revision: 2 }, { writer })).toEqual({ deleted: 2 })
    expect(sink.rows()).toEqual([{ area: 2 }, { area: 2 }])
  })
})

describe('purgeLedger', () => {
  it('forgets what is older than so many days', async () => {
    const { ledger, sink } = await written()
    const now = () => 30 * dayMs
    expect(await purgeLedger().run({ olderThanDays: 30 }, { ledger }, { now })).toEqual({
      deleted: 0,
      done: true,
    })
    expect(await purgeLedger().run({ olderThanDays: 29 }, { ledger }, { now })).toEqual({
      deleted: 2,
      done: true,
    })
    expect(sink.records()).toEqual([])
  })

  it('refuses to forget what may still be delivered again', async () => {
    const { ledger } = await written()
    await expect(purgeLedger().run({ olderThanDays: 0 }, { ledger })).rejects.toThrow(DataValidationError)
  })
})

describe('purgeRows', () => {
  function table(rows: number) {
    const calls: [string, number][] = []
    const purge = async (before: Date, limit: number) => {
      calls.push([before.toISOString(), limit])
      const count = Math.min(rows, limit)
      rows -= count
      return count
    }
    return { calls, purge, left: () => rows }
  }
  const context = { now: () => 10 * dayMs }

  it('deletes batch after batch until nothing is left', async () => {
    const { calls, purge } = table(25)
    const task = purgeRows({ batchSize: 10 })
    expect(await task.run({ olderThanDays: 9 }, { purge }, context)).toEqual({ deleted: 25, done: true })
    expect(calls).toEqual(Array(3).fill(['1970-01-02T00:00:00.000Z', 10]))
    expect(await task.run({ olderThanDays: 9 }, { purge }, context)).toEqual({ deleted: 0, done: true })
  })

  it('ends between two batches when the time is short, and says so', async () => {
    const { purge, left } = table(100)
    const limits = { ...context, remainingMs: () => (left() > 50 ? 10_000 : 1000) }
    const task = purgeRows({ batchSize: 10 })
    expect(await task.run({ olderThanDays: 9 }, { purge }, limits)).toEqual({ deleted: 50, done: false })
  })

  it('refuses to delete what is not a day old', async () => {
    const { purge } = table(1)
    await expect(purgeRows().run({ olderThanDays: 0 }, { purge })).rejects.toMatchObject({
      name: 'DataValidationError',
    })
  })
})
