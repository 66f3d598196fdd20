import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPostgresRowSink } from '../postgres.ts'
import { testTables } from '../test/database.ts'
import { createBatchWriter } from '../writer/batch-writer.ts'

const { pool, query, createTable } = await testTables()
await query(`CREATE TYPE mood AS ENUM ('sad', 'it''s "ok"', 'glücklich'); CREATE DOMAIN small AS int2`)

const date = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
})
const text = fc.string({ unit: 'binary', maxLength: 60 }).map(value => value.replaceAll('\u0000', '\\N'))

/** For each SQL type, what may be written. Zero has one sign: as text, pg and we lose the other. */
const types: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  int2: fc.integer({ min: -32_768, max: 32_767 }),
  int4: fc.oneof(fc.integer(), fc.integer().map(String)),
  int8: fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  small: fc.integer({ min: -32_768, max: 32_767 }),
  float4: fc.float().map(value => value + 0),
  float8: fc.double().map(value => value + 0),
  numeric: fc.oneof(fc.integer(), fc.bigInt(), fc.constantFrom('12345678901234567890.0123456789', 'NaN')),
  bool: fc.oneof(fc.boolean(), fc.constantFrom('yes', 'off')),
  text,
  'varchar(200)': text,
  mood: fc.constantFrom('sad', 'it\'s "ok"', 'glücklich'),
  uuid: fc.uuid(),
  timestamptz: fc.oneof(date, fc.constantFrom('2024-02-29 12:34:56.789+09', 'infinity')),
  timestamp: date,
  date,
  bytea: fc.uint8Array({ maxLength: 40 }).map(bytes => Buffer.from(bytes)),
  json: fc.jsonValue(),
  jsonb: fc.jsonValue().map(value => ({ value })),
  'text[]': fc.array(fc.oneof(text, fc.constant(null)), { maxLength: 3 }),
  'int4[]': fc.array(fc.integer(), { maxLength: 3 }),
  inet: fc.ipV4(),
}

/** As pg itself would send it, one statement a row; a date in UTC wherever the test runs. */
function toParameter(type: string, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  return /^json/.test(type) && typeof value !== 'string' && value !== null ? JSON.stringify(value) : value
}

describe('what is stored', () => {
  for (const [type, values] of Object.entries(types)) {
    it(`is what pg stores, for ${type}, by every path`, async () => {
      const rows = fc
        .sample(fc.option(values, { freq: 10 }), 60)
        .map((value, id) => ({ id, value: /^json/.test(type) && typeof value === 'string' ? null : value }))
      const expected = await createTable(`(id int8 PRIMARY KEY, value ${type})`)
      for (const { id, value } of rows) {
        await pool.query(`INSERT INTO ${expected} VALUES ($1, $2)`, [id, toParameter(type, value)])
      }
      const paths = [
        { path: 'copy', copyFormat: 'binary' },
        { path: 'copy', copyFormat: 'text' },
        { path: 'unnest' },
        { path: 'probe' },
        { path: 'stage' },
      ] as const
      for (const options of paths) {
        const table = await createTable(`(id int8 PRIMARY KEY, value ${type})`)
        const conflict = { mode: 'update', key: ['id'], columns: ['value'] } as const
        const sink = createPostgresRowSink({
          pool,
          tableName: table,
          columns: ['id', 'value'],
          conflict,
          ...options,
        })
        const writer = createBatchWriter<object>({ sink })
        const chunk = { chunk: '1', checksum: 'x', records: () => rows }
        const { counts, rejected } = await writer.write({ ...chunk, jobId: table })
        expect(rejected).toEqual([])
        expect(counts.inserted).toBe(rows.length)
        const differing = `SELECT a.id, a.value::text AS ours, b.value::text AS theirs
          FROM ${table} a FULL JOIN ${expected} b USING (id) WHERE a.value::text IS DISTINCT FROM b.value::text`
        expect(await query(differing)).toEqual([])
        // A value that all rows share is sent once.
        const shared = rows.find(({ value }) => value !== null)?.value
        const alike = rows.map(({ id }) => ({ id, value: shared }))
        await writer.write({ ...chunk, jobId: `${table} alike`, records: () => alike })
        const stored = `SELECT DISTINCT a.value::text = b.value::text AS same
          FROM ${table} a, ${expected} b WHERE b.id = ${rows.findIndex(({ value }) => value !== null)}`
        expect(await query(stored)).toEqual([{ same: true }])
        await writer.write({ ...chunk, jobId: `${table} back` })
        expect(await query(differing)).toEqual([])
        // The same rows again change nothing.
        const again = await writer.write({ ...chunk, jobId: `${table} again` })
        expect(again.counts).toMatchObject({ inserted: 0, updated: 0, unchanged: rows.length })
      }
    })
  }

  it('keeps zeros of either sign apart', async () => {
    const table = await createTable('(id int PRIMARY KEY, value float8)')
    const conflict = { mode: 'ignore', key: ['id'] } as const
    const sink = createPostgresRowSink({
      pool,
      tableName: table,
      columns: ['value', 'id'],
      conflict,
      path: 'unnest',
    })
    const records = () => [0, -0].map((value, id) => ({ id, value }))
    await createBatchWriter<object>({ sink }).write({ jobId: table, chunk: '1', checksum: 'x', records })
    expect(await query(`SELECT value::text FROM ${table} ORDER BY id`)).toEqual([
      { value: '0' },
      { value: '-0' },
    ])
  })
})
