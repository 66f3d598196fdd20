import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import type { Conflict } from '../conflict.ts'
import { createPostgresRowSink, type FastPath } from '../postgres.ts'
import { testTables } from '../test/database.ts'
import { createBatchWriter } from '../writer/batch-writer.ts'

const { url, pool, query, createTable } = await testTables()
const update: Conflict = { mode: 'update', key: ['id'], columns: ['n'] }
const paths = ['auto', 'copy', 'probe', 'unnest', 'stage'] as const
let jobs = 0

interface Write {
  readonly pool?: pg.Pool
  readonly path?: FastPath | 'auto'
  readonly conflict?: Conflict
  readonly columns?: readonly string[]
}

async function write(tableName: string, rows: readonly object[], options: Write = {}) {
  jobs += 1
  const sink = createPostgresRowSink({ pool, tableName, columns: ['id', 'n'], ...options })
  return createBatchWriter<object>({ sink }).write({
    jobId: `relation ${jobs}`,
    chunk: '1',
    checksum: 'x',
    records: () => rows,
  })
}

describe('createPostgresRowSink, for all sorts of relations', () => {
  it.each(paths)('counts rows that a trigger skips as unchanged, by %s', async path => {
    for (const conflict of [{ mode: 'insert' }, { mode: 'ignore', key: ['id'] }, update] as const) {
      const table = await createTable('(id int PRIMARY KEY, n int)')
      await query(`
        CREATE FUNCTION ${table}_skip() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF NEW.n = 0 THEN RETURN NULL; END IF; RETURN NEW; END $$;
        CREATE TRIGGER skip BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_skip()`)
      const rows = Array.from({ length: 250 }, (_, id) => ({ id, n: id % 2 }))
      const { counts } = await write(table, rows, { path, conflict })
      expect(counts).toMatchObject({ received: 250, inserted: 125, unchanged: 125, rejected: 0 })
    }
  })

  it.each(paths)('writes into a view, by %s', async path => {
    const table = await createTable('(id int PRIMARY KEY, n int CHECK (n < 10))')
    await query(`CREATE VIEW ${table}_view AS SELECT * FROM ${table} WHERE n > 0 WITH CHECK OPTION`)
    const rows = [1, 0, 5, 10].map((n, id) => ({ id, n }))
    const first = await write(`${table}_view`, rows, { path })
    expect(first.counts).toMatchObject({ inserted: 2, rejected: 2 })
    expect(first.rejected.map(row => row.sqlState)).toEqual(['44000', '23514'])
    const changes = [2, 3, 5].map((n, id) => ({ id, n }))
    const again = await write(`${table}_view`, changes, { path, conflict: update })
    expect(again.counts).toMatchObject({ inserted: 1, updated: 1, unchanged: 1 })
  })

  describe('with row level security', async () => {
    await query(
      `CREATE ROLE row_writer LOGIN PASSWORD 'writer'; GRANT USAGE, CREATE ON SCHEMA public TO row_writer`,
    )
    await query('GRANT ALL ON stepwright_chunk_ledger TO row_writer')
    const asWriter = new URL(url)
    asWriter.username = 'row_writer'
    asWriter.password = 'writer'
    const writers = new pg.Pool({ connectionString: asWriter.href, max: 2 })
    afterAll(() => writers.end())

    it.each(paths)('rejects only the rows that a policy does not allow, by %s', async path => {
      const table = await createTable('(id int PRIMARY KEY, n int, tags text[])')
      await query(`
        ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
        CREATE POLICY small ON ${table} USING (n < 10) WITH CHECK (n < 10);
        GRANT ALL ON ${table} TO row_writer`)
      const rows = Array.from({ length: 20 }, (_, id) => ({ id, n: id % 5 === 4 ? 10 : id % 5, tags: ['a'] }))
      for (const columns of [
        ['id', 'n'],
        ['id', 'n', 'tags'],
      ]) {
        await query(`TRUNCATE ${table}`)
        const { counts, rejected } = await write(table, rows, { pool: writers, path, columns })
        expect(counts).toMatchObject({ inserted: 16, rejected: 4 })
        expect(rejected).toMatchObject(
          Array(4).fill({ reason: 'a row level security policy does not allow the row', sqlState: '42501' }),
        )
        const changes = rows.map(row => ({ ...row, n: row.n + 1 }))
        const again = await write(table, changes, { pool: writers, path, columns, conflict: update })
        expect(again.counts).toMatchObject({ updated: 16, rejected: 4 })
      }
    })

    it('still fails where a privilege is missing', async () => {
      const table = await createTable('(id int PRIMARY KEY, n int)')
      await query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY; GRANT SELECT ON ${table} TO row_writer`)
      await expect(write(table, [{ id: 1, n: 1 }], { pool: writers })).rejects.toMatchObject({
        code: '42501',
      })
    })
  })
})
