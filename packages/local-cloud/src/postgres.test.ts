import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createDatabase, PostgresNotOwnedError, PostgresStoppedError, startPostgres } from './postgres.ts'

const ours = { databaseUrl: '' }

interface Connection {
  readonly client: pg.Client
  /** The first thing that goes wrong without a query to tell. */
  readonly lost: Promise<unknown>
}

async function connect(url: string): Promise<Connection> {
  const client = new pg.Client({ connectionString: url })
  const lost = new Promise(resolve => client.on('error', resolve))
  await client.connect()
  return { client, lost }
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const { client } = await connect(url)
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

describe('startPostgres', () => {
  it('starts a server that answers on loopback with its own password', async () => {
    await using server = await startPostgres(ours)
    const url = new URL(server.url)
    expect(url.hostname).toBe('127.0.0.1')
    expect(await query(server.url, 'show listen_addresses')).toEqual([['127.0.0.1']])
    url.password = 'wrong'
    await expect(query(url.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  })

  it('stores any Unicode text and orders it by code point, in UTC', async () => {
    await using server = await startPostgres(ours)
    expect(await query(server.url, `select x from (values ('é'), ('z'), ('😀')) t(x) order by x`)).toEqual([
      ['z'],
      ['é'],
      ['😀'],
    ])
    expect(await query(server.url, 'show timezone')).toEqual([['UTC']])
  })

  it('leaves neither data nor an open port when stopped', async () => {
    const server = await startPostgres(ours)
    const [[directory]] = (await query(server.url, 'show data_directory')) as [[string]]
    expect(existsSync(directory)).toBe(true)
    await server.stop()
    await server.stop()
    expect(existsSync(join(directory, '..'))).toBe(false)
    await expect(query(server.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await expect(server.restart()).rejects.toThrow(PostgresStoppedError)
  })

  it('keeps a data directory over stop and start, with fsync on', async () => {
    const home = await mkdtemp(join(tmpdir(), 'a kept directory '))
    try {
      const first = await startPostgres({ ...ours, dataDirectory: home })
      await query(first.url, 'create table kept as select 7 as n')
      await first.stop()
      await using second = await startPostgres({ ...ours, dataDirectory: home })
      expect(await query(second.url, 'select n from kept')).toEqual([[7]])
      expect(await query(second.url, 'show fsync')).toEqual([['on']])
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  })

  it('turns fsync off for throw-away data and honours settings', async () => {
    await using server = await startPostgres({ ...ours, settings: { max_connections: '7' } })
    expect(await query(server.url, 'show fsync')).toEqual([['off']])
    expect(await query(server.url, 'show max_connections')).toEqual([['7']])
  })

  it('restarts under the same url and disconnects its clients', async () => {
    await using server = await startPostgres(ours)
    const { lost } = await connect(server.url)
    await query(server.url, 'create table t as select 1 as n')
    await server.restart()
    await expect(lost).resolves.toMatchObject({ code: '57P01' })
    expect(await query(server.url, 'select n from t')).toEqual([[1]])
  })

  it('keeps what was committed when it is killed, and loses what was not', async () => {
    await using server = await startPostgres(ours)
    await query(server.url, 'create table t (n int)')
    await query(server.url, 'insert into t values (1)')
    const { client, lost } = await connect(server.url)
    await client.query('begin; insert into t values (2)')
    await server.kill()
    await lost
    await expect(query(server.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await server.restart()
    expect(await query(server.url, 'select n from t')).toEqual([[1]])
  })

  it('answers nothing while it is paused, and then everything', async () => {
    await using server = await startPostgres(ours)
    const { client } = await connect(server.url)
    await server.pause()
    const answer = client.query('select extract(epoch from clock_timestamp()) * 1000 as ms')
    const newcomer = query(server.url, 'select extract(epoch from clock_timestamp()) * 1000')
    // Time enough for a running server to answer: another one starts meanwhile.
    await using _other = await startPostgres(ours)
    const resumedAt = Date.now()
    await server.resume()
    expect(Number((await answer).rows[0].ms)).toBeGreaterThanOrEqual(resumedAt)
    expect(Number((await newcomer).flat()[0])).toBeGreaterThanOrEqual(resumedAt)
    await client.end()
  })

  it('can be stopped while paused and after being killed', async () => {
    const paused = await startPostgres(ours)
    await paused.pause()
    await paused.stop()
    const killed = await startPostgres(ours)
    const [[directory]] = (await query(killed.url, 'show data_directory')) as [[string]]
    await killed.kill()
    await killed.stop()
    expect(existsSync(directory)).toBe(false)
  })

  it('says which port is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = blocker.address() as { port: number }
    await expect(startPostgres({ ...ours, port })).rejects.toThrow(`port ${port} of 127.0.0.1 is taken`)
    blocker.close()
  })

  it('fails with what the server said', async () => {
    await expect(startPostgres({ ...ours, settings: { no_such_setting: '1' } })).rejects.toThrow(
      /PostgreSQL ended while starting.*no_such_setting/s,
    )
  })

  it("uses the user's own server and leaves it alone", async () => {
    await using real = await startPostgres(ours)
    const server = await startPostgres({ databaseUrl: real.url })
    expect(server.url).toBe(real.url)
    await expect(server.kill()).rejects.toThrow(PostgresNotOwnedError)
    await expect(server.restart()).rejects.toThrow(PostgresNotOwnedError)
    await expect(server.pause()).rejects.toThrow(PostgresNotOwnedError)
    await server.stop()
    expect(await query(real.url, 'select 1')).toEqual([[1]])
  })
})

describe('createDatabase', () => {
  it('creates an empty database and drops it under its clients', async () => {
    await using server = await startPostgres(ours)
    const database = await createDatabase(server.url, 'ein "Name"')
    const { client, lost } = await connect(database.url)
    expect((await client.query('select current_database() as name')).rows).toEqual([{ name: database.name }])
    await database.drop()
    await lost
    await expect(query(database.url, 'select 1')).rejects.toMatchObject({ code: '3D000' })
  })
})
