import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createScratch, serverAccount } from '@stepwright/local-server'
import { PostgresNotOwnedError, PostgresStartError, PostgresStoppedError } from './errors.ts'
import { findBinaries } from './postgres/binaries.ts'
import { openCluster } from './postgres/cluster.ts'
import { pickFreePort } from './postgres/free-port.ts'
import { type Server, type ServerOptions, startServer } from './postgres/server.ts'

export interface PostgresOptions {
  /** A server of your own to use instead of starting one. @default '', which starts one */
  readonly databaseUrl?: string
  /** Where the data stays when the server is stopped, with fsync on. @default a temporary directory, fsync off */
  readonly dataDirectory?: string
  /** @default a free one */
  readonly port?: number
  /** Server settings, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface Postgres extends AsyncDisposable {
  /** `postgres://user:password@127.0.0.1:port/postgres`, the same over restarts. */
  readonly url: string
  /** False when `url` is a server of the user's own. */
  readonly owned: boolean
  /** Ends the server, and deletes its data unless it has a `dataDirectory`. Later calls do nothing. */
  stop(): Promise<void>
  /** Disconnects every client and starts the server again; after `kill()` it recovers as after a crash. */
  restart(): Promise<void>
  /** Ends every process of the server with SIGKILL: clients see broken connections, committed data survives. */
  kill(): Promise<void>
  /** Freezes every process of the server: connections stay open and nothing answers. */
  pause(): Promise<void>
  resume(): Promise<void>
}

// Without fsync, data survives the death of the server but not that of the machine.
const throwAway = { fsync: 'off', full_page_writes: 'off', jit: 'off', max_connections: '200' }
const kept = { jit: 'off', max_connections: '200' }
const attempts = 20
/** How long `stop()` waits for clients to disconnect before it disconnects them. */
const stopGraceMs = 3000

/** Starts a PostgreSQL server on loopback, ready for connections. */
export async function startPostgres({
  databaseUrl = '',
  dataDirectory,
  port,
  settings = {},
}: PostgresOptions = {}): Promise<Postgres> {
  if (databaseUrl !== '') return foreignServer(databaseUrl)

  const account = await serverAccount()
  const scratch = await createScratch('postgres', account)
  try {
    const binaries = await findBinaries(scratch.path, account)
    const home = dataDirectory === undefined ? scratch.path : resolve(dataDirectory)
    const newPassword = randomBytes(18).toString('base64url')
    const cluster = await openCluster(home, scratch.path, binaries, account, newPassword)
    const options = {
      postgres: binaries.postgres,
      scratch: scratch.path,
      data: cluster.data,
      account,
      settings: { ...(dataDirectory === undefined ? throwAway : kept), ...settings },
    }
    const started = await startOnPort(options, port)
    return ownServer({
      url: `postgres://postgres:${cluster.password}@127.0.0.1:${started.port}/postgres`,
      server: started.server,
      startAgain: async () => (await startOnPort(options, started.port)).server,
      remove: scratch.remove,
    })
  } catch (error) {
    await scratch.remove()
    throw error
  }
}

async function startOnPort(
  options: Omit<ServerOptions, 'port'>,
  fixedPort: number | undefined,
): Promise<{ server: Server; port: number }> {
  let why = ''
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const port = fixedPort ?? (await pickFreePort())
    const server = await startServer({ ...options, port })
    if (server === 'in use') {
      // The owner of the former server may just have been killed, and its guard be about to end it.
      why = `another server is at work in ${options.data}`
      await wait(100)
    } else if (server === 'port taken') {
      why = `port ${port} of 127.0.0.1 is taken by another process`
      if (fixedPort !== undefined) break
    } else return { server, port }
  }
  throw new PostgresStartError(why)
}

function ownServer(own: {
  url: string
  server: Server
  startAgain(): Promise<Server>
  remove(): Promise<void>
}): Postgres {
  let server = own.server
  let stopping: Promise<void> | undefined
  let last: Promise<unknown> = Promise.resolve()

  /** A server that restarts can be killed, or stopped, once it is there again. */
  function inTurn(act: () => Promise<void>): Promise<void> {
    const done = last.then(act)
    last = done.catch(() => {})
    return done
  }
  async function whileRunning(action: string, act: () => Promise<void>): Promise<void> {
    if (stopping !== undefined) throw new PostgresStoppedError(`cannot ${action}: the server was stopped`)
    await inTurn(act)
  }
  async function end(): Promise<void> {
    try {
      await server.shutDown(stopGraceMs)
    } finally {
      await own.remove()
    }
  }
  function stop(): Promise<void> {
    stopping ??= inTurn(end)
    return stopping
  }
  return {
    url: own.url,
    owned: true,
    stop,
    restart: () =>
      whileRunning('restart', async () => {
        await server.shutDown(0)
        server = await own.startAgain()
      }),
    kill: () => whileRunning('kill', () => server.kill()),
    pause: () => whileRunning('pause', () => server.pause()),
    resume: () => whileRunning('resume', () => server.resume()),
    [Symbol.asyncDispose]: stop,
  }
}

function foreignServer(url: string): Postgres {
  const refuse = (action: string) => async () => {
    throw new PostgresNotOwnedError(
      `cannot ${action} a server of your own; without databaseUrl, startPostgres() starts one`,
    )
  }
  return {
    url,
    owned: false,
    async stop() {},
    restart: refuse('restart'),
    kill: refuse('kill'),
    pause: refuse('pause'),
    resume: refuse('resume'),
    async [Symbol.asyncDispose]() {},
  }
}
