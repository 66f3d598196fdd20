import { describe, expect, it } from 'vitest'
import type { Conflict } from '../conflict.ts'
import { createPostgresRowSink } from '../postgres.ts'
import { testTables } from '../test/database.ts'
import { keySpellings } from '../test/key-spellings.ts'
import { createBatchWriter } from '../writer/batch-writer.ts'

const { pool, query, createTable } = await testTables()
await query(`CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`)
await query(`CREATE TYPE mood AS ENUM ('sad', 'happy')`)

describe('a key that is spelled in two ways', () => {
  it.each(keySpellings)('of type $type: the order of the records decides', async ({ type, spellings }) => {
    for (const path of ['auto', 'copy', 'probe', 'unnest', 'stage'] as const) {
      for (const given of [spellings, spellings.toReversed()]) {
        const table = await createTable(`(id ${type} PRIMARY KEY, n int)`)
        const write = async (conflict: Conflict | undefined, ns: number[]) => {
          const sink = createPostgresRowSink({
            pool,
            tableName: table,
            columns: ['id', 'n'],
            path,
            ...(conflict && { conflict }),
          })
          return createBatchWriter<object>({ sink }).write({
            jobId: `${table} ${ns}`,
            chunk: '1',
            checksum: 'x',
            records: () => given.map((id, i) => ({ id, n: ns[i] })),
          })
        }
        const stored = async () => (await query<{ n: number }>(`SELECT n FROM ${table}`)).map(({ n }) => n)
        const update = { mode: 'update', key: ['id'], columns: ['n'] } as const
        const ns = given.map((_, i) => i + 1)
        await write(update, ns)
        expect(await stored(), `update, ${path}`).toEqual([given.length])
        // What is stored comes last: it has to be set again.
        await write(update, ns.map(n => n * 10).with(-1, given.length))
        expect(await stored(), `update again, ${path}`).toEqual([given.length])
        await write(
          { mode: 'increment', key: ['id'], columns: ['n'] },
          ns.map(() => 100),
        )
        expect(await stored(), `increment, ${path}`).toEqual([given.length + 100 * given.length])
        await query(`TRUNCATE ${table}`)
        await write(
          { mode: 'ignore', key: ['id'] },
          ns.map(n => n + 1000),
        )
        expect(await stored(), `ignore, ${path}`).toEqual([1001])
        await query(`TRUNCATE ${table}`)
        const { rejected } = await write(
          undefined,
          ns.map(n => n + 2000),
        )
        expect(await stored(), `insert, ${path}`).toEqual([2001])
        expect(rejected.map(row => row.rowNumber)).toEqual(ns.slice(1))
      }
    }
  })
})
