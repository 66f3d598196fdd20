import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { DatabaseConnectionError } from '@stepwright/errors'
import { testDatabase } from '@stepwright/local-postgres/vitest'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { toConnectionError } from './connection-error.ts'
import { createPostgresPool, sharedPostgresPool } from './postgres-pool.ts'

const { url } = await testDatabase()

async function heldSocket(pool: { connect(): Promise<unknown> }): Promise<{ readonly socket: Socket }> {
  const client = (await pool.connect()) as {
    readonly connection: { readonly stream: Socket }
    release(): void
  }
  client.release()
  return { socket: client.connection.stream }
}

describe('createPostgresPool', () => {
  it.each([
    { statementTimeoutMS: 5 },
    { statementTimeoutMs: Number.NaN },
    { connectTimeoutMs: -1 },
    { applicationName: '' },
    { now: 5 },
  ])('refuses the options %j', options => {
    expect(() => createPostgresPool({ connectionString: url, ...(options as object) })).toThrow(TypeError)
  })

  it.each([0, 1.5, Number.NaN])('refuses %d connections', concurrency => {
    expect(() => createPostgresPool({ connectionString: url, concurrency })).toThrow(
      `options of createPostgresPool: concurrency must be a whole number from 1, and is ${concurrency}`,
    )
  })

  it('names the application, keeps one connection and asks for the password of every connection', async () => {
    const withoutPassword = new URL(url)
    const password = decodeURIComponent(withoutPassword.password)
    withoutPassword.password = ''
    let asked = 0
    const tokens = createPostgresPool({
      connectionString: withoutPassword.href,
      password: async () => {
        asked += 1
        return password
      },
    })
    try {
      const name = "SELECT current_setting('application_name') AS name, pg_backend_pid() AS pid"
      const both = await Promise.all([tokens.query(name), tokens.query(name)])
      expect(both[0].rows).toEqual(both[1].rows)
      expect(both[0].rows[0]?.['name']).toBe('stepwright')
      expect(asked).toBe(1)
      await expect(tokens.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow()
      await tokens.query(name)
      expect(asked).toBe(2)
    } finally {
      await tokens.end()
    }
  })

  it('says so if the server ends the connection of a query that is under way', async () => {
    const pool = createPostgresPool({ connectionString: url })
    const other = createPostgresPool({ connectionString: url })
    try {
      const pid = (await pool.query('SELECT pg_backend_pid() AS pid')).rows[0]?.['pid']
      const { socket } = await heldSocket(pool)
      const running = pool.query('SELECT pg_sleep(60)')
      const isSleeping = async () =>
        (await other.query(`SELECT FROM pg_stat_activity WHERE pid = ${pid} AND query LIKE '%pg_sleep%'`))
          .rowCount === 1
      while (!(await isSleeping()));
      socket.destroy()
      await expect(running).rejects.toBeInstanceOf(DatabaseConnectionError)
      await other.query(`SELECT pg_terminate_backend(${pid})`)
    } finally {
      await pool.end()
      await other.end()
    }
  })

  it('names neither user nor database if the sign-in is refused', async () => {
    for (const { password, pathname } of [{ password: 'wrong' }, { pathname: '/secret_database' }]) {
      const wrong = new URL(url)
      if (password) wrong.password = password
      if (pathname) wrong.pathname = pathname
      const pool = createPostgresPool({ connectionString: wrong.href })
      try {
        const error = await pool.query('SELECT 1').then(
          () => undefined,
          (thrown: Error) => thrown,
        )
        expect(error).toMatchObject({
          name: 'UnexpectedError',
          code: expect.stringMatching(/^(28P01|3D000)$/),
        })
        expect(error?.message).not.toMatch(new RegExp(`secret|"${wrong.username}"`))
      } finally {
        await pool.end()
      }
    }
  })

  it('verifies the server, except on loopback', () => {
    const sslOf = (connectionString: string, options = {}) =>
      (createPostgresPool({ connectionString, ...options }).options as { readonly ssl: unknown }).ssl
    expect(sslOf('postgres://u@db.example.com/d')).toEqual({ rejectUnauthorized: true })
    expect(sslOf('postgres://u@127.0.0.1.example.com/d')).toEqual({ rejectUnauthorized: true })
    expect(sslOf('postgres://u@db.example.com/d', { tls: { ca: 'pem' } })).toEqual({
      rejectUnauthorized: true,
      ca: 'pem',
    })
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect(sslOf(`postgres://u@${host}/d`)).toBe(false)
    expect(sslOf('postgres://u@localhost/d?host=/var/run/postgresql')).toBe(false)
    expect(sslOf('postgres://u@127.0.0.1/d', { tls: true })).toEqual({ rejectUnauthorized: true })
    expect(() => createPostgresPool({ connectionString: 'host=x' })).toThrow(TypeError)
  })

  it('outlives the end of a connection that somebody holds', async () => {
    const pool = createPostgresPool({ connectionString: url, concurrency: 2 })
    try {
      const held = await pool.connect()
      const { rows } = await held.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      // Nobody listens to it. It waits for the end, so that the next query finds none.
      await pool.query('SELECT pg_terminate_backend($1, 5000)', [rows[0]?.pid])
      await expect(held.query('SELECT 1')).rejects.toThrow(DatabaseConnectionError)
      held.release(true)
      expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    } finally {
      await pool.end()
    }
  })

  it('tries a connection that was long unused, and opens another where nobody answers', async () => {
    await using proxy = await startProxy(url)
    let time = 0
    const pool = createPostgresPool({ connectionString: proxy.url, connectTimeoutMs: 500, now: () => time })
    try {
      const pidOf = async () =>
        (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid
      const first = await pidOf()
      time += 60_000
      expect(await pidOf()).toBe(first)
      proxy.fallSilent()
      time += 60_000
      expect(await pidOf()).not.toBe(first)
    } finally {
      await pool.end()
    }
  })

  it('cancels a statement that takes too long, and goes on', async () => {
    const pool = createPostgresPool({ connectionString: url, statementTimeoutMs: 50 })
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    try {
      await expect(pool.query('SELECT pg_sleep(600)')).rejects.toMatchObject({ code: '57014' })
      await expect(sql`SELECT pg_sleep(600)`.execute(db)).rejects.toMatchObject({ code: '57014' })
      expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }])
    } finally {
      await db.destroy()
    }
  })

  it('says of a server that is gone only that it is gone, to Kysely too', async () => {
    const { port } = new URL(url)
    const gone = url.replace(port, '1')
    const pool = createPostgresPool({ connectionString: gone })
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    for (const failed of [pool.connect(), pool.query('SELECT 1'), sql`SELECT 1`.execute(db)]) {
      const error = await failed.then(
        () => undefined,
        (thrown: Error) => thrown,
      )
      expect(error).toBeInstanceOf(DatabaseConnectionError)
      expect(error?.message).not.toMatch(/127|localhost|ECONN/)
    }
    await db.destroy()
  })
})

describe('sharedPostgresPool', () => {
  it('lets calls wait for a connection that others use for longer than connecting may take', async () => {
    const pool = createPostgresPool({ connectionString: url, connectTimeoutMs: 500 })
    try {
      const answers = await Promise.all([1, 2, 3].map(n => pool.query(`SELECT ${n} AS n, pg_sleep(0.4)`)))
      expect(answers.map(({ rows }) => rows[0]?.['n'])).toEqual([1, 2, 3])
    } finally {
      await pool.end()
    }
  })

  it('says what to do where no connection becomes free', async () => {
    const pool = createPostgresPool({ connectionString: url, waitTimeoutMs: 50 })
    try {
      const held = await pool.connect()
      await expect(pool.query('SELECT 1')).rejects.toThrow(
        new DatabaseConnectionError(
          'no connection became free within 50 ms: raise `concurrency`, which is 1',
        ),
      )
      held.release()
      expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    } finally {
      await pool.end()
    }
  })

  it('gives one pool for each database and name', async () => {
    const pool = sharedPostgresPool({ connectionString: url, applicationName: 'a' })
    expect(sharedPostgresPool({ connectionString: url, applicationName: 'a' })).toBe(pool)
    const other = sharedPostgresPool({ connectionString: url, applicationName: 'b' })
    expect(other).not.toBe(pool)
    await Promise.all([pool.end(), other.end()])
  })

  it('gives another pool when the one before was ended', async () => {
    const options = { connectionString: url, applicationName: 'ended' }
    await sharedPostgresPool(options).end()
    const pool = sharedPostgresPool(options)
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await pool.end()
  })
})

describe('toConnectionError', () => {
  it('knows what poolers say of a database that is not there', () => {
    for (const message of [
      'query_wait_timeout',
      'server login has been failing, cached error: connect timeout (server_login_retry)',
      'no more connections allowed (max_client_conn)',
      'pgbouncer cannot connect to server',
      'server conn crashed?',
      'server closed the connection unexpectedly',
      'Timed-out waiting to acquire database connection',
    ]) {
      expect(toConnectionError(Object.assign(new Error(message), { code: '08P01' }))).toBeInstanceOf(
        DatabaseConnectionError,
      )
    }
    const ours = Object.assign(new Error('bind message has 70000 parameter formats'), { code: '08P01' })
    expect(toConnectionError(ours)).toBe(ours)
  })
})

interface Proxy extends AsyncDisposable {
  readonly url: string
  /** The connections that are open now are neither heard nor closed any more. */
  fallSilent(): void
}

/** Stands between a client and the server. */
async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target)
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createServer(near => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) socket.on('error', () => {})
    near.pipe(far).pipe(near)
    pairs.add([near, far])
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(target)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    fallSilent() {
      for (const [near, far] of pairs) {
        near.unpipe(far).pause()
        far.unpipe(near).pause()
      }
    },
    async [Symbol.asyncDispose]() {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
