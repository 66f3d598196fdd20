import { createServer } from 'node:net'
import { DatabaseConnectionError, TemporaryError } from '@stepwright/errors'
import { startPostgres } from '@stepwright/local-postgres'
import { createPostgresPool, type PostgresPool } from '@stepwright/postgres'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { createPostgresRowSink, type PostgresRowSinkOptions } from '../postgres.ts'
import { type BatchWriterOptions, createBatchWriter } from '../writer/batch-writer.ts'
import { ledgerSql } from './ledger.ts'

// A server of its own: it is restarted, paused and made read-only here.
const server = await startPostgres({ databaseUrl: '' })
afterAll(() => server.stop())

function rows(count: number) {
  return Array.from({ length: count }, (_, id) => ({ id }))
}
const chunk = { chunk: '1', checksum: 'x' }
let tables = 0

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

await query(ledgerSql())
await query(`CREATE FUNCTION wait_long() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN PERFORM pg_sleep(600); RETURN NEW; END $$`)

interface Trial {
  readonly table: string
  readonly pool: PostgresPool
  readonly writer: ReturnType<typeof createBatchWriter<object>>
  count(): Promise<unknown>
}

/** A table and a writer for it, with one connection. */
async function trial(
  options: Partial<BatchWriterOptions<object>> = {},
  sinkOptions: Partial<PostgresRowSinkOptions<string>> = {},
  connectionString = server.url,
): Promise<Trial> {
  tables += 1
  const table = `trial_${tables}`
  await query(`CREATE TABLE ${table} (id int PRIMARY KEY)`)
  const pool = createPostgresPool({ connectionString, connectTimeoutMs: 2_000 })
  afterAll(() => pool.end())
  const sink = createPostgresRowSink({ pool, tableName: table, columns: ['id'], ...sinkOptions })
  return {
    table,
    pool,
    writer: createBatchWriter<object>({ sink, batchSize: 10, ...options }),
    count: async () => (await query(`SELECT count(*)::int FROM ${table}`))[0]?.['count'],
  }
}

/** A `sleep` that ends the trouble instead of waiting. */
function insteadOfSleeping(end: () => Promise<unknown>): { sleep(): Promise<void>; calls(): number } {
  let calls = 0
  return {
    calls: () => calls,
    async sleep() {
      calls += 1
      if (calls === 1) await end()
    },
  }
}

describe('passing trouble', () => {
  it('does not show when the server is restarted in the middle of a chunk', async () => {
    const { table, writer, count } = await trial()
    let restarts = 0
    const result = await writer.write({
      jobId: table,
      ...chunk,
      records: () => rows(50),
      onProgress: async ({ counts }) => {
        if (counts.inserted !== 20 || restarts > 0) return
        restarts += 1
        await server.restart()
      },
    })
    expect(result).toMatchObject({ status: 'written', attempt: 2, counts: { inserted: 50 } })
    expect(await count()).toBe(50)
  })

  it('does not show when an idle connection broke before', async () => {
    const { table, writer, count } = await trial()
    await writer.write({ jobId: table, ...chunk, records: () => rows(1) })
    await server.kill()
    await server.restart()
    await writer.write({ jobId: table, chunk: '2', checksum: 'x', records: () => [{ id: 9 }] })
    expect(await count()).toBe(2)
  })

  it('does not show when a lock is held, and then released', async () => {
    const blocker = new pg.Client({ connectionString: server.url })
    await blocker.connect()
    const { sleep, calls } = insteadOfSleeping(() => blocker.end())
    const { table, writer } = await trial({ sleep }, { lockTimeoutMs: 50 })
    await blocker.query(`BEGIN; LOCK TABLE ${table}`)
    const result = await writer.write({ jobId: table, ...chunk, records: () => rows(5) })
    expect(result.counts.inserted).toBe(5)
    expect(calls()).toBeGreaterThan(0)
  })

  it('does not show when a failover left a server that only reads: the next attempt connects anew', async () => {
    const database = new URL(server.url).pathname.slice(1)
    const readOnly = (value: string) =>
      query(`ALTER DATABASE ${database} SET default_transaction_read_only = ${value}`)
    const { sleep, calls } = insteadOfSleeping(async () => {
      const client = new pg.Client({
        connectionString: server.url,
        options: '-c default_transaction_read_only=off',
      })
      await client.connect()
      await client.query(`ALTER DATABASE ${database} RESET default_transaction_read_only`)
      await client.end()
    })
    const { table, pool, writer } = await trial({ sleep })
    await readOnly('on')
    const { rows: before } = await pool.query('SELECT pg_backend_pid() AS pid')
    const result = await writer.write({ jobId: table, ...chunk, records: () => rows(5) })
    const { rows: after } = await pool.query('SELECT pg_backend_pid() AS pid')
    expect(result.attempt).toBe(2)
    expect(calls()).toBe(1)
    expect(after).not.toEqual(before)
  })

  it('does not show when there were too many connections', async () => {
    await query(
      `CREATE ROLE lonely LOGIN PASSWORD 'lonely' CONNECTION LIMIT 1; GRANT ALL ON stepwright_chunk_ledger TO lonely`,
    )
    const url = new URL(server.url)
    url.username = 'lonely'
    url.password = 'lonely'
    const first = new pg.Client({ connectionString: url.href })
    await first.connect()
    const { sleep, calls } = insteadOfSleeping(() => first.end())
    const { table, writer } = await trial({ sleep }, {}, url.href)
    await query(`GRANT ALL ON ${table} TO lonely`)
    const result = await writer.write({ jobId: table, ...chunk, records: () => rows(5) })
    expect(result.counts.inserted).toBe(5)
    expect(calls()).toBeGreaterThan(0)
  })

  it('becomes a DatabaseConnectionError when nobody answers', async () => {
    const free = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => free.once('listening', resolve))
    const { port } = free.address() as { port: number }
    await new Promise(resolve => free.close(resolve))
    const nobody = `postgres://u:p@127.0.0.1:${port}/d`
    const { table, writer } = await trial({ retryForMs: 200 }, {}, nobody)
    const failure = writer.write({ jobId: table, ...chunk, records: () => rows(5) })
    await expect(failure).rejects.toThrow(DatabaseConnectionError)
  })

  it('becomes a DatabaseConnectionError when the server stops answering in the middle', async () => {
    const { table, writer } = await trial({ retryForMs: 0 }, { statementTimeoutMs: 200 })
    const failure = writer.write({
      jobId: table,
      ...chunk,
      records: () => rows(50),
      onProgress: ({ counts }) => (counts.inserted === 20 ? server.pause() : undefined),
    })
    try {
      await expect(failure).rejects.toThrow(DatabaseConnectionError)
    } finally {
      await server.resume()
    }
  })

  it('becomes a TemporaryError when a statement takes too long', async () => {
    const { table, writer, count } = await trial({ retryForMs: 0 }, { statementTimeoutMs: 200 })
    await query(`CREATE TRIGGER slow BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION wait_long()`)
    const failure = writer.write({ jobId: table, ...chunk, records: () => rows(5) })
    await expect(failure).rejects.toThrow(TemporaryError)
    expect(await count()).toBe(0)
  })
})

describe('an aborted write', () => {
  it('is cancelled on the server, whatever it is doing', async () => {
    for (const path of ['copy', 'unnest'] as const) {
      const { table, pool, writer, count } = await trial({}, { path })
      await query(`CREATE TRIGGER slow BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION wait_long()`)
      const controller = new AbortController()
      const failure = writer.write({
        jobId: table,
        ...chunk,
        records: () => rows(5),
        signal: controller.signal,
      })
      const settled = failure.then(
        () => 'written',
        (error: Error) => error.message,
      )
      const running = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query LIKE '%${table}%'`
      while ((await query(running)).length === 0) {}
      controller.abort(new Error('the job was cancelled'))
      expect(await settled).toBe('the job was cancelled')
      expect(await query(running)).toEqual([])
      expect(await count()).toBe(0)
      // Its connection is as good as new.
      expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    }
  })

  it('does not wait for a connection that another call holds', async () => {
    const { table, pool, writer } = await trial()
    const held = await pool.connect()
    const controller = new AbortController()
    const failure = writer.write({
      jobId: table,
      ...chunk,
      records: () => rows(5),
      signal: controller.signal,
    })
    controller.abort(new Error('enough'))
    await expect(failure).rejects.toThrow('enough')
    held.release()
    await writer.write({ jobId: table, ...chunk, records: () => rows(5) })
  })
})
