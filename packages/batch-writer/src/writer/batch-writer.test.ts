import {
  ConflictError,
  DatabaseConnectionError,
  DataValidationError,
  TemporaryError,
  ValidationError,
} from '@stepwright/errors'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryRowSink, type MemoryRowSinkOptions } from '../memory-row-sink.ts'
import { RefusedBatchError, type RowSink } from '../row-sink.ts'
import { type BatchWriterOptions, type ChunkProgress, createBatchWriter } from './batch-writer.ts'
import type { AttemptRetry } from './retry-transient.ts'

interface User {
  readonly id: number
  readonly age?: number
}

function users(count: number): User[] {
  return Array.from({ length: count }, (_, i) => ({ id: i + 1 }))
}
const chunk = { jobId: 'job', chunk: '1', checksum: 'abc' }
function badAge(row: User) {
  return row.age !== undefined && row.age < 0
    ? { reason: 'age is negative', sqlState: '23514', column: 'age', constraint: 'age_check' }
    : undefined
}

function memoryWriter(
  sinkOptions: MemoryRowSinkOptions<User> = {},
  options: Partial<BatchWriterOptions<User>> = {},
) {
  const sink = createMemoryRowSink<User>({ unique: ['id'], ...sinkOptions })
  return { sink, writer: createBatchWriter<User>({ sink, ...options }) }
}

/** A sink whose `begin` fails as often as there are errors. */
function failing(sink: RowSink<User>, errors: Error[]): RowSink<User> {
  return {
    ...sink,
    async begin(claim, limits) {
      const error = errors.shift()
      if (error) throw error
      return sink.begin(claim, limits)
    },
  }
}

describe('createBatchWriter', () => {
  it.each([
    { batchSize: 0 },
    { batchSize: 1.5 },
    { sortWindow: Number.NaN },
    { maxBatchBytes: -1 },
    { maxRejectedPercent: 101 },
    { retryForMs: Number.NaN },
    { batchsize: 100 },
  ])('refuses the options %j', options => {
    const { sink } = memoryWriter({})
    expect(() => createBatchWriter<User>({ sink, ...(options as object) })).toThrow(
      /^options of createBatchWriter: /,
    )
  })

  it('sorts chunks whole after a deadlock, so that there is no second one', async () => {
    const sink = createMemoryRowSink<User>({ conflict: { mode: 'ignore', key: ['id'] } })
    const deadlock = new TemporaryError('deadlock', { cause: Object.assign(new Error(), { code: '40P01' }) })
    const options = { batchSize: 2, sortWindow: 2, sleep: async () => {} }
    const write = async (errors: Error[], jobId: string) => {
      const writer = createBatchWriter<User>({ sink: failing(sink, errors), ...options })
      await writer.write({ ...chunk, jobId, records: () => users(6).toReversed() })
      return sink.rows().map(({ id }) => id)
    }
    expect(await write([deadlock], 'one')).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('reads while the sink opens its transaction, and closes the records of a chunk that was written', async () => {
    const { sink } = memoryWriter()
    const events: string[] = []
    async function* records() {
      try {
        events.push('read')
        yield users(3)
      } finally {
        events.push('closed')
      }
    }
    const slow: RowSink<User> = {
      ...sink,
      async begin(claim, limits) {
        await new Promise(setImmediate)
        events.push('open')
        return sink.begin(claim, limits)
      },
    }
    const writer = createBatchWriter<User>({ sink: slow, batchSize: 1 })
    expect(await writer.write({ ...chunk, records })).toMatchObject({ status: 'written' })
    expect(events.splice(0)).toEqual(['read', 'open', 'closed'])
    expect(await writer.write({ ...chunk, records })).toMatchObject({ status: 'recorded' })
    expect(events).toEqual(['read', 'open', 'closed'])
  })

  it('takes batches that say the number of their first row, as they are', async () => {
    const { writer } = memoryWriter({ refuse: badAge })
    const batches = () => [
      { firstRow: 5, rows: [{ id: 1 }, { id: 2, age: -1 }] },
      { firstRow: 90, rows: [{ id: 3, age: -1 }, { id: 4 }] },
    ]
    async function* inTime() {
      yield* batches()
    }
    for (const [i, records] of [batches, inTime].entries()) {
      const { counts, rejected } = await writer.write<User>({ ...chunk, jobId: `job ${i}`, records })
      expect(counts.received).toBe(4)
      expect(rejected.map(({ rowNumber }) => rowNumber)).toEqual(expect.arrayContaining([6, 90]))
    }
  })

  it('ends a batch early whose rows are long', async () => {
    const texts: string[] = Array.from({ length: 9 }, () => 'x'.repeat(40))
    const sizes: number[] = []
    for (const conflict of [{ mode: 'insert' }, { mode: 'ignore', key: ['id'] }] as const) {
      const sink = createMemoryRowSink<{ id: number; text: string }>({ conflict })
      const writer = createBatchWriter({ sink, maxBatchBytes: 100 })
      await writer.write({
        ...chunk,
        records: () => texts.map((text, id) => ({ id, text })),
        onProgress: ({ counts }) => void sizes.push(counts.received),
      })
    }
    expect(sizes).toEqual([3, 6, 9, 3, 6, 9])
  })

  it('never halves a surrogate pair of a long reason', async () => {
    const { writer } = memoryWriter({ refuse: () => ({ reason: `${'x'.repeat(499)}🎉🎉` }) })
    const { rejected } = await writer.write({ ...chunk, records: () => users(1) })
    expect(rejected[0]?.reason).toBe('x'.repeat(499))
  })

  it('writes every row once and reports the counts', async () => {
    const { sink, writer } = memoryWriter()
    const result = await writer.write({ ...chunk, records: () => users(2500) })
    expect(result).toEqual({
      ...chunk,
      attempt: 1,
      status: 'written',
      counts: { received: 2500, inserted: 2500, updated: 0, unchanged: 0, duplicates: 0, rejected: 0 },
      rejected: [],
    })
    expect(sink.rows()).toEqual(users(2500))
    expect(sink.records()).toHaveLength(1)
  })

  it('returns the record for a second delivery without opening its records', async () => {
    const { sink, writer } = memoryWriter()
    const first = await writer.write({ ...chunk, records: () => users(3) })
    const unread = () => {
      throw new Error('must not be read')
    }
    expect(await writer.write({ ...chunk, records: unread })).toEqual({ ...first, status: 'recorded' })
    expect(sink.rows()).toHaveLength(3)
  })

  it('writes once when two deliveries come at the same time', async () => {
    const { sink, writer } = memoryWriter()
    const both = await Promise.all([1, 2].map(() => writer.write({ ...chunk, records: () => users(3) })))
    expect(both.map(result => result.status).toSorted()).toEqual(['recorded', 'written'])
    expect(sink.rows()).toHaveLength(3)
  })

  it('refuses another manifest entry under the same key', async () => {
    const { writer } = memoryWriter()
    await writer.write({ ...chunk, records: () => users(3) })
    const changed = writer.write({ ...chunk, checksum: 'other', records: () => users(3) })
    await expect(changed).rejects.toThrow(ConflictError)
    await expect(changed).rejects.toMatchObject({ code: 'CHUNK_CHANGED' })
  })

  it('takes records one by one or in pages, from arrays or streams', async () => {
    async function* stream() {
      yield { id: 1 }
      yield [{ id: 2 }, { id: 3 }]
      yield []
    }
    const { sink, writer } = memoryWriter({}, { batchSize: 2 })
    await writer.write({ ...chunk, records: stream })
    await writer.write({ ...chunk, chunk: '2', records: () => [[{ id: 4 }], { id: 5 }] })
    expect(sink.rows().map(row => row.id)).toEqual([1, 2, 3, 4, 5])
  })

  it('writes an empty chunk into the ledger', async () => {
    const { sink, writer } = memoryWriter()
    expect((await writer.write({ ...chunk, records: () => [] })).counts.received).toBe(0)
    expect(sink.records()).toHaveLength(1)
  })

  it('rejects exactly the bad rows, wherever they are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        async (good, batchSize, suspects) => {
          const refuse = (row: User) => badAge(row)
          const { sink, writer } = memoryWriter({ refuse }, { batchSize })
          const blind = suspects
            ? writer
            : createBatchWriter<User>({ sink: withoutSuspects(sink), batchSize })
          const rows = good.map((isGood, i) => ({ id: i, age: isGood ? 1 : -1 }))
          const { counts, rejected } = await blind.write({ ...chunk, records: () => rows })
          const bad = good.flatMap((isGood, i) => (isGood ? [] : [i + 1]))
          expect(rejected.map(row => row.rowNumber)).toEqual(bad)
          expect(counts).toMatchObject({ inserted: good.length - bad.length, rejected: bad.length })
          expect(sink.rows()).toEqual(rows.filter(row => row.age > 0))
        },
      ),
    )
  })

  it('says what was wrong with a row, counting from the given number', async () => {
    const { writer } = memoryWriter({ refuse: badAge })
    const records = () => [{ id: 1 }, { id: 2, age: -1 }, { id: 1 }]
    const { rejected } = await writer.write({ ...chunk, firstRowNumber: 1001, records })
    expect(rejected).toEqual([
      {
        rowNumber: 1002,
        reason: 'age is negative',
        sqlState: '23514',
        column: 'age',
        constraint: 'age_check',
      },
      { rowNumber: 1003, reason: 'another row has the same id', sqlState: '23505', column: 'id' },
    ])
  })

  it('keeps the good row of a key when a later one of the same key is refused', async () => {
    const conflict = { mode: 'update', key: ['id'], columns: ['age'] } as const
    const { sink, writer } = memoryWriter({ conflict, refuse: badAge })
    const records = () => [
      { id: 1, age: 5 },
      { id: 2, age: 7 },
      { id: 1, age: -1 },
    ]
    const { counts, rejected } = await writer.write({ ...chunk, records })
    expect(sink.rows()).toEqual([
      { id: 1, age: 5 },
      { id: 2, age: 7 },
    ])
    expect(rejected).toMatchObject([{ rowNumber: 3, reason: 'age is negative' }])
    expect(counts).toMatchObject({ received: 3, inserted: 2, duplicates: 0, rejected: 1 })
  })

  it('maps records to rows, and rejects those that the mapping refuses', async () => {
    const { sink, writer } = memoryWriter()
    const toRow = (record: string, rowNumber: number): User => {
      if (record === 'x') throw new DataValidationError(`no number in row ${rowNumber}`)
      return { id: Number(record) }
    }
    const { counts, rejected } = await writer.write({ ...chunk, records: () => ['1', 'x', '3', 'x'], toRow })
    expect(sink.rows()).toEqual([{ id: 1 }, { id: 3 }])
    expect(rejected).toEqual([
      { rowNumber: 2, reason: 'no number in row 2' },
      { rowNumber: 4, reason: 'no number in row 4' },
    ])
    expect(counts).toMatchObject({ received: 4, inserted: 2, rejected: 2 })
  })

  it('passes over records that the mapping gives no row for, and keeps the numbers of the others', async () => {
    const { sink, writer } = memoryWriter({ refuse: badAge })
    const { counts, rejected } = await writer.write<User | null>({
      ...chunk,
      records: () => [{ id: 1 }, null, { id: 2, age: -1 }, null, { id: 3 }],
      toRow: record => record ?? undefined,
    })
    expect(counts).toMatchObject({ received: 3, inserted: 2, rejected: 1 })
    expect(rejected).toMatchObject([{ rowNumber: 3 }])
    expect(sink.rows()).toEqual([{ id: 1 }, { id: 3 }])
  })

  it('writes nothing when the mapping has a bug or the source breaks', async () => {
    const { sink, writer } = memoryWriter({}, { batchSize: 1 })
    const bug = () => {
      throw new RangeError('a bug')
    }
    await expect(writer.write({ ...chunk, records: () => users(3), toRow: bug })).rejects.toThrow('a bug')
    function* breaking() {
      yield* users(2)
      throw new Error('the file ended early')
    }
    await expect(writer.write({ ...chunk, records: breaking })).rejects.toThrow('the file ended early')
    expect(sink.rows()).toEqual([])
    expect(sink.records()).toEqual([])
  })

  it('writes nothing when more rows are rejected than allowed', async () => {
    const records = () => users(100).map(user => ({ ...user, age: user.id % 10 === 0 ? -1 : 1 }))
    for (const limit of [{ maxRejected: 9 }, { maxRejectedPercent: 9.9 }]) {
      const { sink, writer } = memoryWriter({ refuse: badAge }, { batchSize: 10, ...limit })
      const failure = writer.write({ ...chunk, records })
      await expect(failure).rejects.toThrow(DataValidationError)
      await expect(failure).rejects.toMatchObject({
        code: 'TOO_MANY_REJECTED_ROWS',
        details: { rejected: expect.arrayContaining([expect.objectContaining({ rowNumber: 10 })]) },
      })
      expect(sink.rows()).toEqual([])
      expect(sink.records()).toEqual([])
    }
    const { writer } = memoryWriter({ refuse: badAge }, { maxRejected: 10, maxRejectedPercent: 10 })
    expect((await writer.write({ ...chunk, records })).counts.rejected).toBe(10)
  })

  it('reports progress after every batch', async () => {
    const { writer } = memoryWriter({ refuse: badAge }, { batchSize: 2 })
    const progress: ChunkProgress[] = []
    const records = () => [{ id: 1 }, { id: 2, age: -1 }, { id: 3 }]
    await writer.write({ ...chunk, records, onProgress: step => void progress.push(step) })
    expect(progress).toMatchObject([
      { jobId: 'job', chunk: '1', counts: { received: 2, inserted: 1, rejected: 1 } },
      { counts: { received: 3, inserted: 2, rejected: 1 } },
    ])
  })

  it('retries what passes with growing, jittered delays, reading the records again', async () => {
    const sink = createMemoryRowSink<User>()
    const errors = [new DatabaseConnectionError('gone'), new TemporaryError('deadlock'), serverError('40001')]
    const delays: number[] = []
    const writer = createBatchWriter<User>({
      sink: failing(sink, errors),
      sleep: async ms => void delays.push(ms),
      random: () => 1,
    })
    const result = await writer.write({ ...chunk, earlierAttempts: 2, records: () => users(2) })
    expect(result).toMatchObject({ status: 'written', attempt: 6 })
    expect(delays).toEqual([50, 100, 200])
    expect(sink.rows()).toHaveLength(2)
  })

  it('tells of trouble that passes, each time before it tries again', async () => {
    const sink = createMemoryRowSink<User>({ conflict: { mode: 'replace', scope: ['id'] } })
    const heard: string[] = []
    const onRetry = ({ attempt, error, delayMs }: AttemptRetry) =>
      void heard.push(`${attempt}: ${error.name}, ${error.message}, ${delayMs} ms`)
    const options = { sleep: async () => void heard.push('slept'), random: () => 1 }
    const lost = () => [new DatabaseConnectionError('gone'), serverError('40P01')]
    const writer = createBatchWriter<User>({ ...options, sink: failing(sink, lost()) })
    const scope = { id: 1 }
    await writer.write({ ...chunk, earlierAttempts: 2, scope, records: () => users(1), onRetry })
    const told = ['1: DatabaseConnectionError, gone, 50 ms', 'slept']
    const toldAgain = ['2: TemporaryError, reported as Error 40P01, 100 ms', 'slept']
    expect(heard.splice(0)).toEqual([...told, ...toldAgain])

    const errors = lost()
    const cannotClear: RowSink<User> = {
      ...sink,
      clearScope: async () => {
        const error = errors.shift()
        if (error) throw error
        return 1
      },
    }
    const clearing = createBatchWriter<User>({ ...options, sink: cannotClear })
    expect(await clearing.clearScope('job', scope, { onRetry })).toBe(1)
    expect(heard).toEqual([...told, ...toldAgain])
  })

  it('gives up with the taxonomy error when the time for retries is over', async () => {
    const sink = createMemoryRowSink<User>()
    const write = (remainingMs: number, retryForMs: number, error: Error) => {
      let now = 0
      const writer = createBatchWriter<User>({
        sink: failing(sink, Array(100).fill(error)),
        now: () => now,
        sleep: async ms => {
          now += ms
        },
        retryForMs,
      })
      const failure = writer.write({
        ...chunk,
        records: () => users(1),
        remainingMs: () => remainingMs - now,
      })
      return failure.then(
        () => 'written',
        (thrown: Error) => `${thrown.name} after ${now > 0 ? 'retries' : 'the first attempt'}`,
      )
    }
    expect(await write(Infinity, 5_000, serverError('57P01'))).toBe('DatabaseConnectionError after retries')
    expect(await write(5_000, Infinity, serverError('40P01'))).toBe('TemporaryError after retries')
    expect(await write(100, Infinity, serverError('55P03'))).toBe('TemporaryError after the first attempt')
    expect(await write(Infinity, 5_000, new Error('a bug'))).toBe('Error after the first attempt')
  })

  it('stops with the reason of the signal', async () => {
    const { sink, writer } = memoryWriter({}, { batchSize: 1 })
    const controller = new AbortController()
    const failure = writer.write({
      ...chunk,
      records: () => users(10),
      signal: controller.signal,
      onProgress: ({ counts }) => {
        if (counts.received === 3) controller.abort(new Error('out of time'))
      },
    })
    await expect(failure).rejects.toThrow('out of time')
    expect(sink.rows()).toEqual([])
  })

  it('will not commit what a sink lost count of', async () => {
    const sink = createMemoryRowSink<User>()
    const forgetful: RowSink<User> = {
      ...sink,
      async begin(claim, limits) {
        const opened = await sink.begin(claim, limits)
        if (!('commit' in opened)) return opened
        return { ...opened, write: rows => opened.write(rows.slice(1)) }
      },
    }
    const writer = createBatchWriter<User>({ sink: forgetful })
    await expect(writer.write({ ...chunk, records: () => users(3) })).rejects.toThrow(
      '3 rows were read but the sink accounts for 2',
    )
    expect(sink.rows()).toEqual([])
  })

  it('refuses impossible settings and keys', async () => {
    const { writer } = memoryWriter()
    for (const wrong of [{ jobId: '' }, { chunk: 'a\u0000' }, { jobId: 'a\ud800' }, { scope: { area: 1 } }]) {
      await expect(writer.write({ ...chunk, records: () => [], ...wrong })).rejects.toThrow(ValidationError)
    }
    await expect(writer.clearScope('a\ud800', { id: 1 })).rejects.toThrow(ValidationError)
  })
})

function serverError(code: string): Error {
  return Object.assign(new Error('the server says no'), { code })
}

/** As a database that does not say which row it was. */
function withoutSuspects(sink: RowSink<User>): RowSink<User> {
  return {
    ...sink,
    async begin(claim, limits) {
      const opened = await sink.begin(claim, limits)
      if (!('commit' in opened)) return opened
      return {
        ...opened,
        async write(rows) {
          try {
            return await opened.write(rows)
          } catch (error) {
            if (error instanceof RefusedBatchError) {
              throw new RefusedBatchError({ ...error.refusal, suspect: undefined })
            }
            throw error
          }
        },
      }
    },
  }
}
