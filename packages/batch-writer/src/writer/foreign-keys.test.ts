import { describe, expect, it } from 'vitest'
import type { Conflict } from '../conflict.ts'
import { createPostgresRowSink } from '../postgres.ts'
import { testTables } from '../test/database.ts'
import { createBatchWriter } from './batch-writer.ts'

const { pool, query, createTable } = await testTables()
const columns = ['id', 'parent', 'n']

async function write(
  tableName: string,
  rows: readonly object[],
  options: { conflict?: Conflict; batchSize?: number; maxRejected?: number } = {},
) {
  const { conflict = { mode: 'insert' } as const, ...limits } = options
  const sink = createPostgresRowSink({
    pool,
    tableName,
    columns,
    conflict,
    sortBy: conflict.mode === 'insert' ? [] : ['id'],
  })
  const writer = createBatchWriter<object>({ sink, ...limits })
  return writer.write({ jobId: tableName, chunk: '1', checksum: 'x', records: () => rows })
}

const update: Conflict = { mode: 'update', key: ['id'], columns: ['parent', 'n'] }

describe('rows that refer to later rows of their chunk', () => {
  it.each(['', 'DEFERRABLE INITIALLY DEFERRED'])(
    'are written though another row is bad, with %j',
    async deferred => {
      for (const conflict of [{ mode: 'insert' }, update] as const) {
        for (const batchSize of [1, 2, 1000]) {
          const table = await createTable(
            `(id int PRIMARY KEY, parent int REFERENCES $ ${deferred}, n int CHECK (n > 0))`,
          )
          const rows = [
            { id: 1, parent: 4, n: 1 },
            { id: 2, parent: 99, n: 1 },
            { id: 3, parent: null, n: 0 },
            { id: 4, parent: 5, n: 1 },
            { id: 5, parent: null, n: 1 },
            { id: 6, parent: 3, n: 1 },
          ]
          const { counts, rejected } = await write(table, rows, { conflict, batchSize })
          expect(counts).toMatchObject({ received: 6, inserted: 3, rejected: 3 })
          expect(rejected.map(({ rowNumber, sqlState }) => [rowNumber, sqlState])).toEqual([
            [2, '23503'],
            [3, '23514'],
            [6, '23503'],
          ])
        }
      }
    },
  )

  it('are not written after a later record of their key', async () => {
    const table = await createTable('(id int PRIMARY KEY, parent int REFERENCES $, n int)')
    const rows = [
      { id: 1, parent: 9, n: 1 },
      { id: '01', parent: 9, n: 2 },
      { id: 1, parent: 8, n: 3 },
      { id: 8, parent: null, n: 1 },
      { id: 9, parent: null, n: 1 },
    ]
    const { counts } = await write(table, rows, { conflict: update, batchSize: 1 })
    expect(counts).toMatchObject({ received: 5, rejected: 0 })
    expect(await query(`SELECT parent, n FROM ${table} WHERE id = 1`)).toEqual([{ parent: 8, n: 3 }])
  })

  it('are tried again before there are too many of them', async () => {
    const table = await createTable('(id int PRIMARY KEY, parent int REFERENCES $, n int)')
    const pairs = Array.from({ length: 30 }, (_, i) => [
      { id: 2 * i, parent: 2 * i + 1, n: 1 },
      { id: 2 * i + 1, parent: null, n: 1 },
    ])
    const { counts } = await write(table, pairs.flat(), { batchSize: 1, maxRejected: 3 })
    expect(counts).toMatchObject({ inserted: 60 })
    const orphans = Array.from({ length: 10 }, (_, i) => ({ id: 100 + i, parent: 1000, n: 1 }))
    const other = await createTable('(id int PRIMARY KEY, parent int REFERENCES $, n int)')
    await expect(write(other, orphans, { batchSize: 1, maxRejected: 3 })).rejects.toMatchObject({
      code: 'TOO_MANY_REJECTED_ROWS',
    })
  })
})
