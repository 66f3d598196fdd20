import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { Conflict } from '../conflict.ts'
import { createPostgresRowSink } from '../postgres.ts'
import { testTables } from '../test/database.ts'
import { arrayTypes, binaryTypes, refusedValues, textTypes, typeDefinitions } from '../test/type-values.ts'
import { createBatchWriter } from '../writer/batch-writer.ts'

const { pool, query, createTable } = await testTables()
await query(typeDefinitions)

type Values = Readonly<Record<string, readonly unknown[]>>
type Row = Readonly<Record<string, unknown>>

const ways = [
  { path: 'copy', copyFormat: 'binary' },
  { path: 'copy', copyFormat: 'text' },
  { path: 'probe' },
  { path: 'unnest' },
  { path: 'stage' },
  { path: 'auto' },
] as const

// Dates are sent in UTC wherever the test runs.
pg.defaults.parseInputDatesAsUTC = true

/** As plain SQL would send it. */
function toParameter(type: string, value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value
  if (Object.is(value, -0)) return '-0'
  if (Array.isArray(value) && type !== 'json' && type !== 'jsonb') {
    return value.map(item => toParameter(type.replace('[]', ''), item))
  }
  return /^jsonb?$/.test(type) && typeof value !== 'string' && value !== null ? JSON.stringify(value) : value
}

/** A table with a column for each type; its n-th row has each type's n-th value, the last has none. */
function wideTable(values: Values): { definition: string; columns: string[]; rows: Row[] } {
  const types = Object.entries(values)
  const length = Math.max(...types.map(([, list]) => list.length))
  const row = (id: number): Row =>
    Object.fromEntries([
      ['id', id],
      ...types.map(([, list], i) => [`c${i}`, id === length ? null : list[id % list.length]]),
    ])
  return {
    definition: `(id int PRIMARY KEY, ${types.map(([type], i) => `c${i} ${type}`).join(', ')})`,
    columns: ['id', ...types.map((_, i) => `c${i}`)],
    rows: Array.from({ length: length + 1 }, (_, id) => row(id)),
  }
}

const groups: Readonly<Record<string, Values>> = {
  'values that have a binary form': Object.fromEntries(
    Object.entries(binaryTypes).map(([type, { native = [] }]) => [type, native]),
  ),
  'values that the server reads from text': Object.fromEntries(
    Object.entries(binaryTypes).map(([type, { text }]) => [type, text]),
  ),
  'types without a binary form': textTypes,
  arrays: arrayTypes,
}

describe('what is stored', () => {
  for (const [group, values] of Object.entries(groups)) {
    it(`is what plain INSERT stores, by every way and in every mode, for ${group}`, async () => {
      const types = ['int', ...Object.keys(values)]
      const { definition, columns, rows } = wideTable(values)
      const last = rows.length
      const expected = await createTable(definition)
      const insert = `INSERT INTO ${expected} VALUES (${columns.map((_, i) => `$${i + 1}`).join(', ')})`
      for (const row of rows) {
        await pool.query(
          insert,
          columns.map((column, i) => toParameter(types[i] as string, row[column])),
        )
      }
      const changed = columns.slice(1)
      const others = changed.map(
        column => `(SELECT b.${column} FROM ${expected} b WHERE b.id = (a.id + 1) % ${last})`,
      )
      const update = { mode: 'update', key: ['id'], columns: changed } as const
      const modes: readonly (readonly [Conflict, before: string])[] = [
        [{ mode: 'insert' }, ''],
        [{ mode: 'ignore', key: ['id'] }, ''],
        [update, ''],
        [update, `INSERT INTO $ SELECT id FROM ${expected}`],
        [update, `INSERT INTO $ SELECT a.id, ${others.join(', ')} FROM ${expected} a`],
      ]
      for (const way of ways) {
        for (const [conflict, before] of modes) {
          const table = await createTable(definition)
          if (before) await query(before.replace('$', table))
          const sink = createPostgresRowSink({ pool, tableName: table, columns, conflict, ...way })
          const writer = createBatchWriter<object>({ sink })
          const chunk = { chunk: '1', checksum: 'x', records: () => rows }
          const { counts, rejected } = await writer.write({ ...chunk, jobId: table })
          const told = JSON.stringify({ way, conflict: conflict.mode, before: before !== '' })
          expect(rejected, told).toEqual([])
          // To the byte: a value may equal another without being the same.
          const differing = `SELECT id FROM ${table} a FULL JOIN ${expected} b USING (id) WHERE a IS NULL OR b IS NULL OR NOT a *= b`
          const found = await query(differing)
          const why = found.length > 0 ? await differences(table, expected, columns, types) : ''
          expect(found, `${told} ${why}`).toEqual([])
          expect(counts.inserted + counts.updated + counts.unchanged, told).toBe(rows.length)
          if (conflict.mode !== 'update') continue
          const again = await writer.write({ ...chunk, jobId: `${table} again` })
          expect(again.counts, told).toMatchObject({ inserted: 0, updated: 0, unchanged: rows.length })
        }
      }
    })
  }
})

/** For people: which types are not as they should be. */
async function differences(
  table: string,
  expected: string,
  columns: readonly string[],
  types: readonly string[],
): Promise<string> {
  const parts = columns.map(
    (column, i) =>
      `SELECT '${types[i]?.replaceAll("'", "''")}' AS type, quote_nullable(a.${column}::text) AS ours, quote_nullable(b.${column}::text) AS theirs
         FROM ${table} a JOIN ${expected} b USING (id) WHERE NOT (SELECT r FROM (SELECT a.${column}) r) *= (SELECT r FROM (SELECT b.${column}) r)`,
  )
  return JSON.stringify(await query(parts.join(' UNION ALL ')))
}

describe('what is refused', () => {
  const isCompound = (type: string) => /\[\]$|^pair/.test(type)
  const refused = Object.entries(refusedValues).flatMap(([type, values]) =>
    values.map(value => ({ type, value })),
  )

  for (const group of [
    refused.filter(({ type }) => !isCompound(type)),
    refused.filter(({ type }) => isCompound(type)),
  ]) {
    it(`is what plain INSERT refuses, with the same SQLSTATE, for ${group.length} values`, async () => {
      const types = [...new Set(group.map(({ type }) => type))]
      const columns = ['id', ...types.map((_, i) => `c${i}`)]
      const table = await createTable(
        `(id int PRIMARY KEY, ${types.map((type, i) => `c${i} ${type}`).join(', ')})`,
      )
      const columnOf = (type: string) => `c${types.indexOf(type)}`
      const expected = await Promise.all(
        group.map(async ({ type, value }, i) => [
          i,
          type,
          await refusalOf(table, columnOf(type), toParameter(type, value)),
        ]),
      )
      const rows = group.map(({ type, value }, id) => ({ id, [columnOf(type)]: value }))
      const update = { mode: 'update', key: ['id'], columns: columns.slice(1) } as const
      for (const conflict of [{ mode: 'insert' } as const, update]) {
        for (const way of ways.filter(({ path }) => path !== 'auto')) {
          await query(`TRUNCATE ${table}`)
          if (conflict === update)
            await query(`INSERT INTO ${table} SELECT generate_series(0, ${group.length})`)
          const sink = createPostgresRowSink({ pool, tableName: table, columns, conflict, ...way })
          const { rejected } = await createBatchWriter<object>({ sink }).write({
            jobId: `${table} ${conflict.mode} ${JSON.stringify(way)}`,
            chunk: '1',
            checksum: 'x',
            records: () => [...rows, { id: group.length }],
            firstRowNumber: 0,
          })
          expect(
            rejected.map(({ rowNumber, sqlState }) => [rowNumber, group[rowNumber]?.type, sqlState]),
            JSON.stringify([conflict.mode, way]),
          ).toEqual(expected)
        }
      }
    })
  }
})

async function refusalOf(table: string, column: string, value: unknown): Promise<string> {
  // pg would send half a surrogate pair as U+FFFD without a word.
  if (typeof value === 'string' && !value.isWellFormed()) return '22021'
  const failed = await pool.query(`INSERT INTO ${table} (id, ${column}) VALUES (-2, $1)`, [value]).then(
    () => undefined,
    (error: { code: string }) => error.code,
  )
  if (failed === undefined) throw new Error(`${String(value)} was not refused`)
  return failed
}
