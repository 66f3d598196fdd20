import { DataValidationError } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import { createPostgresRowSink, type PostgresRowSinkOptions } from '../postgres.ts'
import { testTables } from '../test/database.ts'
import { createBatchWriter } from '../writer/batch-writer.ts'

const { pool, query, createTable } = await testTables()
await query(`
  CREATE TABLE campaigns (id int PRIMARY KEY);
  INSERT INTO campaigns VALUES (1);
  CREATE FUNCTION refuse_spam() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN IF NEW.email LIKE 'spam@%' THEN RAISE EXCEPTION 'no spam'; END IF; RETURN NEW; END $$`)

const definition = `(
  id int PRIMARY KEY,
  campaign_id int NOT NULL REFERENCES campaigns DEFERRABLE INITIALLY DEFERRED,
  email varchar(20) NOT NULL,
  age int CONSTRAINT $_age CHECK (age >= 0),
  note text,
  CONSTRAINT $_email UNIQUE (campaign_id, email))`

interface Recipient {
  readonly id: unknown
  readonly campaign_id?: unknown
  readonly email?: unknown
  readonly age?: unknown
  readonly note?: unknown
}

async function recipients(options: Partial<PostgresRowSinkOptions<string>> = {}) {
  const table = await createTable(definition)
  await query(`
    CREATE INDEX ON ${table} (note);
    CREATE TRIGGER spam BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_spam()`)
  const sink = createPostgresRowSink({
    pool,
    tableName: table,
    columns: ['id', 'campaign_id', 'email', 'age', 'note'],
    ...options,
  })
  return { table, writer: createBatchWriter<object>({ sink, batchSize: 50 }) }
}

function good(id: number): Recipient {
  return { id, campaign_id: 1, email: `${id}@example.com`, age: 20 }
}

/** What is wrong with a row, and how it must be told. */
const poison: readonly [change: Recipient, expected: object][] = [
  [{ id: 1 }, { sqlState: '23505', constraint: '$_pkey', column: 'id' }],
  [
    { id: 2, email: '1@example.com' },
    { sqlState: '23505', constraint: '$_email', column: 'campaign_id, email' },
  ],
  [
    { id: 3, email: null },
    { sqlState: '23502', column: 'email' },
  ],
  [
    { id: 4, age: -1 },
    { sqlState: '23514', constraint: '$_age', column: 'age' },
  ],
  [
    { id: 5, campaign_id: 2 },
    { sqlState: '23503', constraint: '$_campaign_id_fkey', column: 'campaign_id' },
  ],
  [
    { id: 6, email: 'x'.repeat(21) },
    { sqlState: '22001', column: 'email' },
  ],
  [
    { id: 7, age: 'old' },
    { sqlState: '22P02', column: 'age', reason: 'the value does not have the form of its type' },
  ],
  [
    { id: 8, age: 2 ** 31 },
    { sqlState: '22003', column: 'age' },
  ],
  [
    { id: 9, note: 'a\u0000b' },
    { sqlState: '22021', column: 'note' },
  ],
  [
    { id: 10, note: 'a\ud800b' },
    { sqlState: '22021', column: 'note' },
  ],
  [
    { id: 11, email: 'spam@example.com' },
    { sqlState: 'P0001', reason: 'no spam' },
  ],
  [{ id: 12, note: noise(9000) }, { sqlState: '54000' }],
]

/** Text that does not compress, so that it is too long for an index. */
function noise(length: number): string {
  let state = 1
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647
    return String.fromCharCode(0x4e00 + (state % 20_000))
  }).join('')
}

function withTable(expected: object, table: string): object {
  return Object.fromEntries(
    Object.entries(expected).map(([name, value]) => [
      name,
      name === 'constraint' ? String(value).replace('$', table) : value,
    ]),
  )
}

describe('refused rows', () => {
  for (const path of ['copy', 'probe', 'unnest', 'stage'] as const) {
    it(`are told by number, column, constraint and SQLSTATE, by way of ${path}`, async () => {
      const { table, writer } = await recipients({ path })
      const rows = Array.from({ length: 200 }, (_, i) => good(i + 1000))
      rows[0] = good(1)
      for (const [i, [change]] of poison.entries())
        rows[10 + i * 14] = { ...good(Number(change.id)), ...change }
      const { counts, rejected } = await writer.write({
        jobId: table,
        chunk: '1',
        checksum: 'x',
        records: () => rows,
      })
      expect(rejected).toEqual(
        poison.map(([, expected], i) => ({
          rowNumber: 11 + i * 14,
          reason: expect.any(String),
          ...withTable(expected, table),
        })),
      )
      expect(counts).toMatchObject({ received: 200, inserted: 200 - poison.length, rejected: poison.length })
      expect(await query(`SELECT count(*)::int FROM ${table}`)).toEqual([{ count: 200 - poison.length }])
    })
  }

  it('are told in the same way where keys are looked up', async () => {
    const conflict = { mode: 'update', key: ['id'], columns: ['age', 'note'] } as const
    const { table, writer } = await recipients({ conflict, path: 'probe' })
    await query(`INSERT INTO ${table} VALUES (1, 1, '1@example.com', 5), (2, 1, '2@example.com', 20)`)
    const rows = [
      good(1),
      { ...good(2), age: -1 },
      good(3),
      { ...good('x' as never), email: 'x' },
      { ...good(5), age: 'old' },
      { ...good(6), email: '1@example.com' },
      { ...good(7), email: null },
    ]
    const { counts, rejected } = await writer.write({
      jobId: table,
      chunk: '1',
      checksum: 'x',
      records: () => rows,
    })
    expect(counts).toMatchObject({ inserted: 1, updated: 1, rejected: 5 })
    expect(rejected).toMatchObject([
      { rowNumber: 2, sqlState: '23514', constraint: `${table}_age`, column: 'age' },
      { rowNumber: 4, sqlState: '22P02', column: 'id' },
      { rowNumber: 5, sqlState: '22P02', column: 'age' },
      { rowNumber: 6, sqlState: '23505', constraint: `${table}_email` },
      { rowNumber: 7, sqlState: '23502', column: 'email' },
    ])
  })

  it('are told without what is in them', async () => {
    const { table, writer } = await recipients()
    const secrets = [
      { ...good(1), age: 'secret' },
      { ...good(2), email: 'secret'.repeat(9) },
      { ...good(3), age: 98_765_432_109 },
      { ...good(4), email: null, note: 'secret' },
      { ...good(5), age: 'x, line 1, column secret' },
    ]
    const { rejected } = await writer.write({
      jobId: table,
      chunk: '1',
      checksum: 'x',
      records: () => secrets,
    })
    expect(rejected.map(({ column }) => column)).toEqual(['age', 'email', 'age', 'email', 'age'])
    expect(JSON.stringify(rejected)).not.toMatch(/secret|98765432109/)
  })

  it('are told by the whole name of a column, whatever is in it', async () => {
    const table = await createTable('(a int, "a:b" int, "naïve ""c""" int, n numeric)')
    const columns = ['a', 'a:b', 'naïve "c"', 'n']
    const sink = createPostgresRowSink({ pool, tableName: table, columns })
    const records = (): object[] => columns.map(column => ({ [column]: 'x' }))
    const writer = createBatchWriter<object>({ sink })
    const { rejected } = await writer.write({ jobId: table, chunk: '1', checksum: 'x', records })
    expect(rejected.map(({ column }) => column)).toEqual(columns)
  })

  it.each(['copy', 'unnest'] as const)(
    'are those with a value that is not JSON, by way of %s',
    async path => {
      const table = await createTable('(id int PRIMARY KEY, more jsonb, raw json, note text)')
      const columns = ['id', 'more', 'raw', 'note']
      const sink = createPostgresRowSink({ pool, tableName: table, columns, path })
      const records = () => [
        { id: 1, more: { n: 1 }, raw: {}, note: { n: 1 } },
        { id: 2, more: { n: 1n } },
        { id: 3, raw: () => 1 },
        { id: 4, note: { n: 1n } },
      ]
      const writer = createBatchWriter<object>({ sink })
      const { counts, rejected } = await writer.write({ jobId: table, chunk: '1', checksum: 'x', records })
      expect(counts).toMatchObject({ inserted: 1, rejected: 3 })
      const reason = 'the value cannot be written as JSON'
      expect(rejected).toEqual([
        { rowNumber: 2, reason, sqlState: '22P02', column: 'more' },
        { rowNumber: 3, reason, sqlState: '22P02', column: 'raw' },
        { rowNumber: 4, reason, sqlState: '22P02', column: 'note' },
      ])
    },
  )

  it('are remembered by the ledger for a second delivery', async () => {
    const { table, writer } = await recipients()
    const chunk = {
      jobId: table,
      chunk: '1',
      checksum: 'x',
      records: () => [good(1), { ...good(2), age: 'x' }],
    }
    const first = await writer.write(chunk)
    expect(await writer.write(chunk)).toEqual({ ...first, status: 'recorded' })
    expect(first.rejected).toHaveLength(1)
  })

  it('are not written twice when a whole batch is bad', async () => {
    const { table, writer } = await recipients()
    const rows = Array.from({ length: 120 }, (_, i) => (i < 60 ? { ...good(i), age: -1 } : good(i)))
    const { counts } = await writer.write({ jobId: table, chunk: '1', checksum: 'x', records: () => rows })
    expect(counts).toMatchObject({ inserted: 60, rejected: 60 })
  })

  it('leave nothing in the database when there are too many', async () => {
    const { table } = await recipients()
    const sink = createPostgresRowSink({
      pool,
      tableName: table,
      columns: ['id', 'campaign_id', 'email', 'age'],
    })
    const writer = createBatchWriter<object>({ sink, maxRejected: 1 })
    const records = () => [good(1), { ...good(2), age: -1 }, { ...good(3), age: -1 }]
    await expect(writer.write({ jobId: table, chunk: '1', checksum: 'x', records })).rejects.toThrow(
      DataValidationError,
    )
    expect(await query(`SELECT count(*)::int FROM ${table}`)).toEqual([{ count: 0 }])
    expect(await query(`SELECT count(*)::int FROM stepwright_chunk_ledger WHERE job = '${table}'`)).toEqual([
      { count: 0 },
    ])
  })

  it('are found among 200,000: exactly the 137 that are bad', async () => {
    const { table } = await recipients()
    const sink = createPostgresRowSink({
      pool,
      tableName: table,
      columns: ['id', 'campaign_id', 'email', 'age'],
      conflict: { mode: 'ignore', key: ['campaign_id', 'email'] },
    })
    const writer = createBatchWriter<object>({ sink })
    const isBad = (id: number) => id % 1459 === 200
    const rejected: number[] = []
    for (let start = 0; start < 200_000; start += 5_000) {
      const rows = Array.from({ length: 5_000 }, (_, i) => {
        const id = start + i
        return isBad(id) ? { ...good(id), age: id % 2 === 0 ? -1 : 'old' } : good(id)
      })
      const result = await writer.write({
        jobId: table,
        chunk: String(start),
        checksum: 'x',
        firstRowNumber: start,
        records: () => rows,
      })
      for (const { rowNumber, sqlState } of result.rejected) {
        expect(sqlState).toBe(rowNumber % 2 === 0 ? '23514' : '22P02')
        rejected.push(rowNumber)
      }
    }
    const bad = Array.from({ length: 200_000 }, (_, id) => id).filter(isBad)
    expect(bad).toHaveLength(137)
    expect(rejected).toEqual(bad)
    expect(await query(`SELECT count(*)::int FROM ${table}`)).toEqual([{ count: 200_000 - bad.length }])
  })
})
