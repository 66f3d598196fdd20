import { ConflictError } from '@stepwright/errors'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createPostgresRowSink } from '../postgres.ts'
import { testTables } from '../test/database.ts'
import { createBatchWriter } from '../writer/batch-writer.ts'

const { url, pool, query, createTable } = await testTables()
const chunk = { chunk: '1', checksum: 'x' }
function ids(from: number, to: number) {
  return Array.from({ length: to - from }, (_, i) => ({ id: from + i, n: 1 }))
}

/** A table that remembers which statements wrote into it. */
async function spiedTable(): Promise<{ table: string; statements(): Promise<string[]> }> {
  const table = await createTable('(id int PRIMARY KEY, n int)')
  await query(`
    CREATE TABLE ${table}_log (at serial, sql text);
    CREATE FUNCTION ${table}_spy() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO ${table}_log (sql) VALUES (current_query()); RETURN NULL; END $$;
    CREATE TRIGGER spy AFTER INSERT ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION ${table}_spy()`)
  return {
    table,
    async statements() {
      const log = await query<{ sql: string }>(`SELECT sql FROM ${table}_log ORDER BY at`)
      return log.map(({ sql }) => /unnest|stepwright_stage|STDIN/.exec(sql)?.[0] ?? sql)
    },
  }
}

describe('createPostgresRowSink', () => {
  it('takes COPY, and after the first taken key looks keys up for the rest of that job', async () => {
    const { table, statements } = await spiedTable()
    const conflict = { mode: 'update', key: ['id'], columns: ['n'] } as const
    const sink = createPostgresRowSink({ pool, tableName: table, columns: ['id', 'n'], conflict })
    const writer = createBatchWriter<object>({ sink, batchSize: 10 })
    const write = async (jobId: string, rows: object[]) => {
      const before = (await statements()).length
      const { counts } = await writer.write({ jobId: `${table} ${jobId}`, ...chunk, records: () => rows })
      return { counts, statements: (await statements()).slice(before) }
    }
    expect(await write('a', ids(0, 20))).toMatchObject({
      counts: { inserted: 20 },
      statements: ['STDIN', 'STDIN'],
    })
    // The first batch has five taken keys; what is there and the same is not touched.
    expect(await write('b', ids(15, 30))).toMatchObject({
      counts: { inserted: 10, unchanged: 5 },
      statements: ['STDIN', 'STDIN'],
    })
    expect(await write('c', ids(0, 30))).toMatchObject({ counts: { unchanged: 30 }, statements: [] })
    const mixed = [{ id: 1, n: 7 }, ...ids(2, 9), ...ids(30, 34)]
    expect(await write('d', mixed)).toMatchObject({
      counts: { inserted: 4, updated: 1, unchanged: 7 },
      statements: ['STDIN', 'unnest', 'STDIN'],
    })
    // Where nearly all rows are changes, looking up comes to an end.
    const changes = ids(0, 40).map(({ id }) => ({ id, n: 9 }))
    expect(await write('e', changes)).toMatchObject({
      counts: { inserted: 6, updated: 34 },
      statements: ['unnest', 'unnest', 'unnest', 'unnest'],
    })
  })

  it('takes the path it is told', async () => {
    const conflict = { mode: 'ignore', key: ['id'] } as const
    for (const [path, expected] of [
      ['unnest', 'unnest'],
      ['stage', 'stepwright_stage'],
      ['copy', 'STDIN'],
      ['probe', 'STDIN'],
    ] as const) {
      const { table, statements } = await spiedTable()
      const sink = createPostgresRowSink({ pool, tableName: table, columns: ['id', 'n'], conflict, path })
      await createBatchWriter<object>({ sink }).write({ jobId: table, ...chunk, records: () => ids(0, 5) })
      expect(await statements()).toEqual([expected])
    }
  })

  it('tries COPY again behind what was there, and undoes what it copied before it met a taken key', async () => {
    const { table, statements } = await spiedTable()
    const conflict = { mode: 'ignore', key: ['id'] } as const
    const sink = createPostgresRowSink({ pool, tableName: table, columns: ['id', 'n'], conflict })
    const writer = createBatchWriter<object>({ sink, batchSize: 300, sortWindow: 300 })
    await writer.write({ jobId: `${table} first`, ...chunk, records: () => ids(0, 600) })
    // A hundred rows go ahead of the others.
    expect(await statements()).toEqual(['STDIN', 'STDIN', 'STDIN'])
    // Two batches are there, two are new, and the last meets a key behind its first hundred.
    const records = () => [...ids(0, 1200), ...ids(1300, 1450), ...ids(450, 600)]
    const { counts } = await writer.write({ jobId: `${table} again`, ...chunk, records })
    expect(counts).toMatchObject({ inserted: 750, unchanged: 750, rejected: 0 })
    expect(await query(`SELECT count(*)::int, count(DISTINCT id)::int AS ids FROM ${table}`)).toEqual([
      { count: 1350, ids: 1350 },
    ])
  })

  it.each([
    ['bytea', [Buffer.from([0xff]), Buffer.from([0xfe]), Buffer.from([0xff])], 2],
    ['jsonb', [{ a: 1 }, { a: 2 }, { a: 1 }], 2],
    ['text[]', [['a,b'], ['a', 'b'], ['a', 'b']], 2],
  ])('tells keys of type %s apart as the database does', async (type, keys, different) => {
    for (const mode of ['ignore', 'update'] as const) {
      const table = await createTable(`(id ${type} PRIMARY KEY, n int)`)
      const conflict = mode === 'ignore' ? { mode, key: ['id'] } : { mode, key: ['id'], columns: ['n'] }
      const sink = createPostgresRowSink({ pool, tableName: table, columns: ['id', 'n'], conflict })
      const records = () => keys.map((id, n) => ({ id, n }))
      const { counts } = await createBatchWriter<object>({ sink }).write({ jobId: table, ...chunk, records })
      expect(counts).toMatchObject({ received: 3, inserted: different, rejected: 0 })
      const last = mode === 'ignore' ? [] : [{ n: 2 }]
      expect(await query(`SELECT n FROM ${table} WHERE n = 2`)).toEqual(last)
    }
  })

  it('rejects rows outside the scope that it replaces', async () => {
    for (const [type, inside, outside, value] of [
      ['int', [7, '007', 7n], [8, null], 7],
      ['date', ['2024-02-01', new Date('2024-02-01')], ['2024-02-02'], '2024-02-01'],
      ['int', [1, '6'], [7, 8], { below: 7 }],
    ] as const) {
      const table = await createTable(`(id int PRIMARY KEY, part ${type})`)
      const conflict = { mode: 'replace', scope: ['part'] } as const
      const sink = createPostgresRowSink({ pool, tableName: table, columns: ['id', 'part'], conflict })
      const records = () => [...inside, ...outside].map((part, id) => ({ id, part }))
      const scope = { part: value }
      const writer = createBatchWriter<object>({ sink })
      const { counts, rejected } = await writer.write({ jobId: table, ...chunk, records, scope })
      expect(counts).toMatchObject({ inserted: inside.length, rejected: outside.length })
      expect(rejected[0]).toMatchObject({
        rowNumber: inside.length + 1,
        reason: 'the row is outside the scope that is replaced',
        column: 'part',
      })
    }
  })

  it.each(['json', 'jsonb'])('rejects numbers and dates in %s that JSON would change to null', async type => {
    for (const path of ['copy', 'unnest', 'stage'] as const) {
      const table = await createTable(`(id int PRIMARY KEY, doc ${type})`)
      const sink = createPostgresRowSink({ pool, tableName: table, columns: ['id', 'doc'], path })
      const docs = [
        { a: null },
        { a: Number.POSITIVE_INFINITY },
        [Number.NaN],
        { at: new Date(Number.NaN) },
        1,
      ]
      const records = () => docs.map((doc, id) => ({ id, doc }))
      const { rejected } = await createBatchWriter<object>({ sink }).write({
        jobId: table,
        ...chunk,
        records,
      })
      expect(rejected.map(row => row.rowNumber)).toEqual([2, 3, 4])
    }
  })

  it('sends all rows as text where one that comes late has no binary form', async () => {
    for (const path of ['auto', 'copy', 'probe'] as const) {
      const table = await createTable('(id int PRIMARY KEY, at timestamptz)')
      const conflict = { mode: 'ignore', key: ['id'] } as const
      const sink = createPostgresRowSink({ pool, tableName: table, columns: ['id', 'at'], conflict, path })
      const at = (id: number) => (id === 900 ? 'infinity' : new Date(id))
      const records = () => ids(0, 1000).map(({ id }) => ({ id, at: at(id) }))
      const { counts } = await createBatchWriter<object>({ sink }).write({ jobId: table, ...chunk, records })
      expect(counts).toMatchObject({ inserted: 1000, rejected: 0 })
      expect(await query(`SELECT count(*)::int FROM ${table}`)).toEqual([{ count: 1000 }])
    }
  })

  it('sorts rows by a unique key that is written whole, or as it is told', async () => {
    const table = await createTable('(n int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id int UNIQUE, x int)')
    const rows = [5, 3, 9, 1].map((id, x) => ({ id, x }))
    const idsOf = async (options: { sortBy?: readonly string[] }) => {
      await query(`TRUNCATE ${table}`)
      const sink = createPostgresRowSink({ pool, tableName: table, columns: ['id', 'x'], ...options })
      const jobId = `${table} ${JSON.stringify(options)}`
      await createBatchWriter<object>({ sink }).write({ jobId, ...chunk, records: () => rows })
      const stored = await query<{ id: number }>(`SELECT id FROM ${table} ORDER BY n`)
      return stored.map(({ id }) => id)
    }
    expect(await idsOf({})).toEqual([1, 3, 5, 9])
    expect(await idsOf({ sortBy: ['x'] })).toEqual([5, 3, 9, 1])
    expect(await idsOf({ sortBy: [] })).toEqual([5, 3, 9, 1])
    expect(() =>
      createPostgresRowSink({ pool, tableName: table, columns: ['id', 'x'], sortBy: ['y' as 'x'] }),
    ).toThrow('sortBy must name columns that are written, not "y"')
  })

  it('rejects the row of a duplicate key that comes later, also where rows are sorted', async () => {
    const table = await createTable('(id int PRIMARY KEY, n int)')
    const sink = createPostgresRowSink({ pool, tableName: table, columns: ['id', 'n'] })
    const records = () => [
      { id: 2, n: 1 },
      { id: 1, n: 2 },
      { id: 2, n: 3 },
      { id: 0, n: 4 },
    ]
    const result = await createBatchWriter<object>({ sink }).write({ jobId: table, ...chunk, records })
    expect(result.rejected).toMatchObject([{ rowNumber: 3, sqlState: '23505' }])
    expect(await query(`SELECT id, n FROM ${table} ORDER BY id`)).toEqual([
      { id: 0, n: 4 },
      { id: 1, n: 2 },
      { id: 2, n: 1 },
    ])
  })

  it('is not limited by 65,535 parameters', async () => {
    const table = await createTable('(id int PRIMARY KEY, n int)')
    const conflict = { mode: 'ignore', key: ['id'] } as const
    const sink = createPostgresRowSink({
      pool,
      tableName: table,
      columns: ['id', 'n'],
      conflict,
      path: 'unnest',
    })
    const writer = createBatchWriter<object>({ sink, batchSize: 100_000 })
    const { counts } = await writer.write({ jobId: table, ...chunk, records: () => ids(0, 70_000) })
    expect(counts.inserted).toBe(70_000)
  })

  it('writes a chunk once when many processes deliver it at the same time', async () => {
    const table = await createTable('(id int, n int)')
    const results = await Promise.all(
      [1, 2, 3, 4, 5].map(() => {
        const sink = createPostgresRowSink({ pool, tableName: table, columns: ['id', 'n'] })
        return createBatchWriter<object>({ sink }).write({
          jobId: table,
          ...chunk,
          records: () => ids(0, 3000),
        })
      }),
    )
    expect(results.map(({ status }) => status).toSorted()).toEqual([...Array(4).fill('recorded'), 'written'])
    expect(results.map(({ counts }) => counts.inserted)).toEqual(Array(5).fill(3000))
    expect(await query(`SELECT count(*)::int FROM ${table}`)).toEqual([{ count: 3000 }])
  })

  it('refuses a chunk that changed', async () => {
    const table = await createTable('(id int, n int)')
    const sink = createPostgresRowSink({ pool, tableName: table, columns: ['id', 'n'] })
    const writer = createBatchWriter<object>({ sink })
    await writer.write({ jobId: table, ...chunk, records: () => ids(0, 1) })
    const changed = writer.write({ jobId: table, ...chunk, checksum: 'y', records: () => ids(0, 2) })
    await expect(changed).rejects.toThrow(ConflictError)
  })

  it('does not deadlock when concurrent chunks share keys in different orders', async () => {
    const table = await createTable('(id int PRIMARY KEY, n int)')
    const conflict = { mode: 'increment', key: ['id'], columns: ['n'] } as const
    const deadlocks = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()'
    const before = await query(deadlocks)
    const write = (name: string, records: object[]) => {
      const sink = createPostgresRowSink({ pool, tableName: table, columns: ['id', 'n'], conflict })
      return createBatchWriter<object>({ sink, batchSize: 100 }).write({
        jobId: table,
        chunk: name,
        checksum: 'x',
        records: () => records,
      })
    }
    const orders = [
      ids(0, 1000),
      ids(0, 1000).reverse(),
      ids(0, 1000).sort((a, b) => (a.id % 7) - (b.id % 7)),
    ]
    const results = await Promise.all([1, 2].flatMap(n => orders.map((rows, i) => write(`${n}.${i}`, rows))))
    expect(results.map(({ attempt }) => attempt)).toEqual(Array(6).fill(1))
    expect(await query(`SELECT DISTINCT n FROM ${table}`)).toEqual([{ n: 6 }])
    await query('SELECT pg_stat_force_next_flush()')
    expect(await query(deadlocks)).toEqual(before)
  })

  it('writes keys one after the other that only the database holds for the same', async () => {
    const table = await createTable('(id numeric PRIMARY KEY, n int)')
    const conflict = { mode: 'increment', key: ['id'], columns: ['n'] } as const
    const sink = createPostgresRowSink({ pool, tableName: table, columns: ['id', 'n'], conflict })
    const rows = ['1', '1.0', '1.00', '2'].map(id => ({ id, n: 1 }))
    const { counts } = await createBatchWriter<object>({ sink }).write({
      jobId: table,
      ...chunk,
      records: () => rows,
    })
    expect(counts).toMatchObject({ inserted: 2, updated: 2, rejected: 0 })
    expect(await query(`SELECT n FROM ${table} ORDER BY id`)).toEqual([{ n: 3 }, { n: 1 }])
  })

  it('writes into a partitioned table in another schema, and clears a scope of it', async () => {
    await query(`
      CREATE SCHEMA "other Schema";
      CREATE TABLE "other Schema".parts (id int, area int, n int, PRIMARY KEY (id, area)) PARTITION BY LIST (area);
      CREATE TABLE "other Schema".part1 PARTITION OF "other Schema".parts FOR VALUES IN (1);
      CREATE TABLE "other Schema".part2 PARTITION OF "other Schema".parts FOR VALUES IN (2)`)
    const table = 'other Schema.parts'
    const columns = ['id', 'area', 'n']
    const rows = [1, 2].flatMap(area => ids(0, 20).map(row => ({ ...row, area })))
    const upsert = createBatchWriter<object>({
      sink: createPostgresRowSink({
        pool,
        tableName: table,
        columns,
        conflict: { mode: 'update', key: ['id', 'area'], columns: ['n'] },
      }),
    })
    await upsert.write({ jobId: 'parts 1', ...chunk, records: () => rows })
    const changed = () => [...rows.slice(1).map(row => ({ ...row, n: 2 })), { id: 99, area: 2, n: 1 }]
    const { counts } = await upsert.write({ jobId: 'parts 2', ...chunk, records: changed })
    expect(counts).toMatchObject({ inserted: 1, updated: 39 })
    const conflict = { mode: 'replace', scope: ['area'] } as const
    const replacing = createBatchWriter<object>({
      sink: createPostgresRowSink({ pool, tableName: table, columns, conflict, deleteBatchSize: 7 }),
    })
    expect(await replacing.clearScope('parts 3', { area: 1 })).toBe(20)
    const left = await query('SELECT area, count(*)::int FROM "other Schema".parts GROUP BY area')
    expect(left).toEqual([{ area: 2, count: 21 }])
  })

  it('replaces what a campaign had before, once, however many chunks come', async () => {
    const table = await createTable('(campaign int, email text, UNIQUE (campaign, email))')
    const conflict = { mode: 'replace', scope: ['campaign'] } as const
    await query(
      `INSERT INTO ${table} SELECT c, 'old' || e FROM generate_series(1, 2) c, generate_series(1, 50) e`,
    )
    const results = await Promise.all(
      [0, 1, 2, 3].map(i => {
        const columns = ['campaign', 'email']
        const sink = createPostgresRowSink({ pool, tableName: table, columns, conflict, deleteBatchSize: 20 })
        const rows = [1, 2, 3].map(n => ({ campaign: 1, email: `new ${i}.${n}` }))
        return createBatchWriter<object>({ sink }).write({
          jobId: table,
          chunk: String(i),
          checksum: 'x',
          scope: { campaign: 1 },
          records: () => rows,
        })
      }),
    )
    expect(results.every(({ counts }) => counts.inserted === 3)).toBe(true)
    const left = await query(`SELECT campaign, count(*)::int FROM ${table} GROUP BY 1 ORDER BY 1`)
    expect(left).toEqual([
      { campaign: 1, count: 12 },
      { campaign: 2, count: 50 },
    ])
  })

  it('says what is wrong with its settings', async () => {
    const table = await createTable('(id int PRIMARY KEY, n int)')
    const columns = ['id', 'n']
    const write = (options: object) => {
      const sink = createPostgresRowSink({ pool, tableName: table, columns, ...options })
      return createBatchWriter<object>({ sink }).write({ jobId: table, ...chunk, records: () => [] })
    }
    await expect(write({ tableName: 'missing' })).rejects.toThrow('there is no table "missing"')
    await expect(write({ columns: ['id', 'm'] })).rejects.toThrow('has no column "m"')
    expect(() =>
      createPostgresRowSink({ pool, tableName: table, columns, conflict: { mode: 'ignore', key: ['x'] } }),
    ).toThrow(TypeError)
    const replacing = createPostgresRowSink({
      pool,
      tableName: table,
      columns,
      conflict: { mode: 'replace', scope: ['n'] },
    })
    await expect(createBatchWriter({ sink: replacing }).clearScope('j', { id: 1 })).rejects.toThrow(
      'the scope must name the columns',
    )
  })

  it('refuses a key that is not unique, or not always, and a column that is computed', async () => {
    const table = await createTable(
      `(id int PRIMARY KEY, code int, kind int, late int UNIQUE DEFERRABLE, part int, UNIQUE (code, kind),
        twice int GENERATED ALWAYS AS (code * 2) STORED)`,
    )
    await query(`CREATE UNIQUE INDEX ON ${table} (part) WHERE part > 0`)
    async function write(columns: string[], key: string[]): Promise<string> {
      const conflict = { mode: 'ignore', key } as const
      const sink = createPostgresRowSink({ pool, tableName: table, columns, conflict })
      const chunk = { jobId: `${table} ${columns}`, chunk: String(key), checksum: 'x' }
      return createBatchWriter<object>({ sink })
        .write({ ...chunk, records: () => [] })
        .then(
          ({ status }) => status,
          (error: Error) => `${error.name}: ${error.message}`,
        )
    }
    const columns = ['id', 'code', 'kind', 'late', 'part']
    expect(await write(columns, ['id'])).toBe('written')
    expect(await write(columns, ['kind', 'code'])).toBe('written')
    for (const key of [['code'], ['id', 'code'], ['late'], ['part']]) {
      expect(await write(columns, key)).toBe(
        `ValidationError: the key (${key.join(', ')}) must be a primary key, a unique constraint or a unique index of table "${table}", neither partial nor deferrable`,
      )
    }
    expect(await write(['id', 'twice'], ['id'])).toBe(
      `ValidationError: column "twice" of table "${table}" is generated and cannot be written`,
    )
  })

  it('writes an identity that is always generated, by every way', async () => {
    for (const path of ['copy', 'probe', 'unnest', 'stage'] as const) {
      const table = await createTable('(id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v int)')
      await query(`INSERT INTO ${table} OVERRIDING SYSTEM VALUE VALUES (1, 1), (2, 2)`)
      const conflict = { mode: 'update', key: ['id'], columns: ['v'] } as const
      const sink = createPostgresRowSink({ pool, tableName: table, columns: ['id', 'v'], conflict, path })
      const records = () => [1, 2, 3].map(id => ({ id, v: 2 }))
      const writer = createBatchWriter<object>({ sink })
      const { counts } = await writer.write({ jobId: table, chunk: '1', checksum: 'x', records })
      expect(counts).toMatchObject({ inserted: 1, updated: 1, unchanged: 1 })
    }
  })

  it('fails at once on a pool that was ended', async () => {
    const ended = new pg.Pool({ connectionString: url })
    await ended.end()
    const sink = createPostgresRowSink({ pool: ended, tableName: 'any', columns: ['id'] })
    const sleep = () => Promise.reject(new Error('it must not be tried again'))
    const failure = createBatchWriter<object>({ sink, sleep }).write({
      jobId: 'ended',
      chunk: '1',
      checksum: 'x',
      records: () => [],
    })
    await expect(failure).rejects.toThrow(new TypeError('pool must be open: it was ended'))
  })

  it('leaves nothing on the connection that a pooler would hand on', async () => {
    const table = await createTable('(id int PRIMARY KEY, n int)')
    const one = new pg.Pool({ connectionString: url, max: 1 })
    try {
      const state = `SELECT pg_backend_pid() AS pid, current_setting('statement_timeout') AS statement_timeout,
        current_setting('lock_timeout') AS lock_timeout,
        current_setting('idle_in_transaction_session_timeout') AS idle_timeout,
        (SELECT count(*)::int FROM pg_prepared_statements) AS prepared,
        (SELECT count(*)::int FROM pg_class WHERE relnamespace = pg_my_temp_schema()) AS temporary,
        (SELECT count(*)::int FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory') AS locks`
      const before = (await one.query(state)).rows
      for (const path of ['copy', 'probe', 'unnest', 'stage'] as const) {
        const conflict = { mode: 'ignore', key: ['id'] } as const
        const sink = createPostgresRowSink({
          pool: one,
          tableName: table,
          columns: ['id', 'n'],
          conflict,
          path,
        })
        const writer = createBatchWriter<object>({ sink, batchSize: 2 })
        await writer.write({ jobId: `${table}${path}`, ...chunk, records: () => ids(0, 5) })
        const failing = () => [...ids(10, 12), { id: 'x' }]
        await writer.write({ jobId: `${table}${path}`, chunk: '2', checksum: 'x', records: failing })
        expect((await one.query(state)).rows).toEqual(before)
      }
    } finally {
      await one.end()
    }
  })

  it('looks a table up again when it has changed', async () => {
    const table = await createTable('(id int PRIMARY KEY, n int)')
    const changes = [
      // Binary values of four bytes no longer do.
      { path: 'copy', change: 'ALTER COLUMN n TYPE bigint' },
      // Nothing casts integer[] to text[] on its way in.
      { path: 'unnest', change: 'ALTER COLUMN n TYPE date USING NULL' },
      { path: 'probe', change: 'ALTER COLUMN n TYPE int USING NULL' },
    ] as const
    for (const [i, { path, change }] of changes.entries()) {
      const value = change.includes('date') ? null : 1
      const conflict = { mode: 'update', key: ['id'], columns: ['n'] } as const
      const sink = createPostgresRowSink({ pool, tableName: table, columns: ['id', 'n'], conflict, path })
      const writer = createBatchWriter<object>({ sink, sleep: async () => {} })
      const write = (part: number) =>
        writer.write({
          jobId: `${table} ${path}`,
          chunk: String(part),
          checksum: 'x',
          records: () => [1, 2, 3].map(id => ({ id: i * 100 + part * 10 + id, n: value })),
        })
      await write(1)
      await query(`ALTER TABLE ${table} ${change}`)
      expect((await write(2)).counts).toMatchObject({ inserted: 3, rejected: 0 })
    }
  })
})
