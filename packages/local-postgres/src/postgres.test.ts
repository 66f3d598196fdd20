import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Postgres, PostgresNotOwnedError, PostgresStoppedError, startPostgres } from './index.ts'
import { createDatabase } from './postgres/database.ts'
import { testDatabase } from './vitest/test-database.ts'

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

let server: Postgres
let kept = ''
beforeAll(async () => {
  server = await startPostgres({ ...ours, settings: { max_connections: '17' } })
  kept = await mkdtemp(join(tmpdir(), 'a kept directory '))
})
afterAll(async () => {
  await server.stop()
  await rm(kept, { recursive: true, force: true })
})

describe('startPostgres', () => {
  it('starts a server that answers on loopback with its own password', async () => {
    const url = new URL(server.url)
    expect(url.hostname).toBe('127.0.0.1')
    expect(await query(server.url, 'show listen_addresses')).toEqual([['127.0.0.1']])
    url.password = 'wrong'
    await expect(query(url.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  })

  it('shares its password with no other server, although their clusters are copies of one', async () => {
    await using other = await startPostgres(ours)
    const url = new URL(other.url)
    url.password = new URL(server.url).password
    await expect(query(url.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  })

  it('stores any Unicode text and orders it by code point, in UTC', async () => {
    expect(await query(server.url, `select x from (values ('é'), ('z'), ('😀')) t(x) order by x`)).toEqual([
      ['z'],
      ['é'],
      ['😀'],
    ])
    expect(await query(server.url, 'show timezone')).toEqual([['UTC']])
  })

  it('turns fsync off for throw-away data and honours settings', async () => {
    expect(await query(server.url, 'show fsync')).toEqual([['off']])
    expect(await query(server.url, 'show max_connections')).toEqual([['17']])
  })

  it('restarts under the same url and disconnects its clients', async () => {
    const { lost } = await connect(server.url)
    await query(server.url, 'create table restarted as select 1 as n')
    await server.restart()
    await expect(lost).resolves.toMatchObject({ code: '57P01' })
    expect(await query(server.url, 'select n from restarted')).toEqual([[1]])
  })

  it('keeps what was committed when it is killed, and loses what was not', async () => {
    await query(server.url, 'create table killed (n int)')
    await query(server.url, 'insert into killed values (1)')
    const { client, lost } = await connect(server.url)
    await client.query('begin; insert into killed values (2)')
    await server.kill()
    await lost
    await expect(query(server.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await server.restart()
    expect(await query(server.url, 'select n from killed')).toEqual([[1]])
  })

  it('answers nothing while it is paused, and then everything', async () => {
    const { client } = await connect(server.url)
    await server.pause()
    const answer = client.query('select extract(epoch from clock_timestamp()) * 1000 as ms')
    const newcomer = query(server.url, 'select extract(epoch from clock_timestamp()) * 1000')
    // Time enough for a running server to answer: another one creates a database meanwhile.
    await testDatabase()
    const resumedAt = Date.now()
    await server.resume()
    expect(Number((await answer).rows[0].ms)).toBeGreaterThanOrEqual(resumedAt)
    expect(Number((await newcomer).flat()[0])).toBeGreaterThanOrEqual(resumedAt)
    await client.end()
  })

  it("uses the user's own server and leaves it alone", async () => {
    const foreign = await startPostgres({ databaseUrl: server.url })
    expect(foreign.url).toBe(server.url)
    for (const act of [foreign.kill, foreign.restart, foreign.pause, foreign.resume]) {
      await expect(act()).rejects.toThrow(PostgresNotOwnedError)
    }
    await foreign.stop()
    expect(await query(server.url, 'select 1')).toEqual([[1]])
  })

  it('leaves neither data nor an open port when stopped, even while paused', async () => {
    const stopped = await startPostgres(ours)
    const [[directory]] = (await query(stopped.url, 'show data_directory')) as [[string]]
    expect(existsSync(directory)).toBe(true)
    await stopped.pause()
    await stopped.stop()
    await stopped.stop()
    expect(existsSync(join(directory, '..'))).toBe(false)
    await expect(query(stopped.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await expect(stopped.restart()).rejects.toThrow(PostgresStoppedError)
  })

  it('is stopped also while it restarts, one restart after the other', async () => {
    const stopped = await startPostgres(ours)
    const restarts = [stopped.restart(), stopped.restart()]
    await stopped.stop()
    await Promise.all(restarts)
    await expect(query(stopped.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('leaves no data behind when it was killed before', async () => {
    const killed = await startPostgres(ours)
    const [[directory]] = (await query(killed.url, 'show data_directory')) as [[string]]
    await killed.kill()
    await killed.stop()
    expect(existsSync(directory)).toBe(false)
  })

  it('keeps a data directory over stop and start, with fsync on', async () => {
    const first = await startPostgres({ ...ours, dataDirectory: kept })
    await query(first.url, 'create table kept as select 7 as n')
    await first.stop()
    await using second = await startPostgres({ ...ours, dataDirectory: kept })
    expect(await query(second.url, 'select n from kept')).toEqual([[7]])
    expect(await query(second.url, 'show fsync')).toEqual([['on']])
    await expect(startPostgres({ ...ours, dataDirectory: kept })).rejects.toThrow(
      /another server is at work in/,
    )
  })

  it('refuses a data directory that is not of its making', async () => {
    const foreign = await mkdtemp(join(tmpdir(), 'a foreign directory '))
    await mkdir(join(foreign, 'data'))
    await writeFile(join(foreign, 'data', 'PG_VERSION'), '18')
    const start = startPostgres({ ...ours, dataDirectory: foreign })
    await expect(start).rejects.toThrow('has to be one that startPostgres made')
    await rm(foreign, { recursive: true })
  })

  it.skipIf(process.getuid?.() !== 0)('says what keeps it from a data directory', async () => {
    const closed = await mkdtemp(join(tmpdir(), 'a closed directory '))
    const start = startPostgres({ ...ours, dataDirectory: join(closed, 'kept') })
    await expect(start).rejects.toThrow(/nobody, cannot reach .*closed to others/)
    await rm(closed, { recursive: true })
  })

  it('follows no link that was put in its way', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'a prepared directory '))
    await chmod(directory, 0o755)
    const elsewhere = join(directory, 'elsewhere')
    await writeFile(elsewhere, 'mine')
    await mkdir(join(directory, 'kept'))
    await symlink(elsewhere, join(directory, 'kept', 'password'))
    const started = await startPostgres({ ...ours, dataDirectory: join(directory, 'kept') })
    await started.stop()
    expect(await readFile(elsewhere, 'utf8')).toBe('mine')
    await rm(directory, { recursive: true })
  })

  it('says which port is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = blocker.address() as { port: number }
    const start = startPostgres({ ...ours, dataDirectory: kept, port })
    await expect(start).rejects.toThrow(`port ${port} of 127.0.0.1 is taken`)
    blocker.close()
  })

  it('fails with what the server said', async () => {
    const settings = { no_such_setting: '1' }
    const start = startPostgres({ ...ours, dataDirectory: kept, settings })
    await expect(start).rejects.toThrow(/PostgreSQL ended while starting.*no_such_setting/s)
  })
})

describe('createDatabase', () => {
  it('creates an empty database and drops it under its clients', async () => {
    const database = await createDatabase(server.url, 'ein "Name"')
    const { client, lost } = await connect(database.url)
    expect((await client.query('select current_database() as name')).rows).toEqual([{ name: database.name }])
    await database.drop()
    await lost
    await expect(query(database.url, 'select 1')).rejects.toMatchObject({ code: '3D000' })
  })
})
