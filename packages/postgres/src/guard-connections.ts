import { DatabaseConnectionError } from '@stepwright/errors'
import type pg from 'pg'
import { cancelOnServer, socketOf } from './cancel.ts'
import { toConnectionError, toExchangeError } from './connection-error.ts'
import { createTurnstile } from './turnstile.ts'

export interface GuardOptions {
  /** How many connections the pool gives out at a time. */
  readonly concurrency: number
  /** A caller waits no longer for one of them. */
  readonly waitTimeoutMs: number
  /** After so long unused, a connection is tried before it is given out. */
  readonly checkAfterMs: number
  /** An answer to that takes no longer. */
  readonly checkTimeoutMs: number
  /** 0 for no limit. */
  readonly statementTimeoutMs: number
  readonly now: () => number
}

/** Time for a cancelled statement to be reported by a server that is alive. */
const graceMs = 3_000

type Callback = (error: Error | undefined, result?: unknown, release?: unknown) => void

/**
 * Makes pg's pool fit for a process that is frozen between calls: no error of a connection goes unheard, which would
 * end the process; a connection that may have died meanwhile is tried first; a statement that takes too long is
 * cancelled, and hung up on if the server does not answer; what fails for want of a server says so, and waiting for
 * others to be done is no such failure: pg counts that as time to connect.
 */
export function guardConnections(pool: pg.Pool, options: GuardOptions): void {
  const { concurrency, waitTimeoutMs, checkAfterMs, checkTimeoutMs, statementTimeoutMs, now } = options
  const turnstile = createTurnstile(concurrency, waitTimeoutMs)
  const given = new WeakSet<pg.PoolClient>()
  const lastUsed = new WeakMap<object, number>()
  pool.on('connect', client => {
    client.on('error', () => {})
    guardQueries(client, statementTimeoutMs)
  })
  pool.on('release', (_error, client) => {
    lastUsed.set(client, now())
    if (given.delete(client)) turnstile.leave()
  })

  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  async function connectAlive(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await connect()
      const idleMs = now() - (lastUsed.get(client) ?? now())
      if (idleMs < checkAfterMs || (await isAlive(client, checkTimeoutMs))) return client
      client.release(true)
    }
  }
  async function guarded(): Promise<pg.PoolClient> {
    if (!(await turnstile.enter())) {
      throw new DatabaseConnectionError(
        `no connection became free within ${waitTimeoutMs} ms: raise \`concurrency\`, which is ${concurrency}`,
      )
    }
    try {
      const client = await connectAlive()
      given.add(client)
      return client
    } catch (error) {
      turnstile.leave()
      throw toExchangeError(error)
    }
  }
  pool.connect = ((callback?: Callback) => {
    const connecting = guarded()
    if (!callback) return connecting
    connecting.then(
      client => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }) as typeof pool.connect
  // pg's pool listens to the connection itself while its own query is under way, and hands on what it hears.
  const query = pool.query.bind(pool) as (...given: unknown[]) => unknown
  pool.query = ((...given: unknown[]) => {
    const answer = query(...given.slice(0, -1), nameTrouble(given.at(-1)))
    return answer instanceof Promise ? answer.catch(rethrow) : answer
  }) as typeof pool.query
}

function nameTrouble(last: unknown): unknown {
  if (typeof last !== 'function') return last
  return (error: unknown, result: unknown) => last(error ? toConnectionError(error) : error, result)
}

function rethrow(error: unknown): never {
  throw toConnectionError(error)
}

async function isAlive(client: pg.PoolClient, timeoutMs: number): Promise<boolean> {
  const timer = setTimeout(() => socketOf(client).destroy(), timeoutMs)
  try {
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

/** Queries that speak the protocol themselves have limits of their own. */
function guardQueries(client: pg.PoolClient, timeoutMs: number): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown

  function limitTime(): () => void {
    if (timeoutMs === 0) return () => {}
    let timer = setTimeout(() => {
      cancelOnServer(client)
      timer = setTimeout(() => socketOf(client).destroy(), graceMs)
    }, timeoutMs)
    return () => clearTimeout(timer)
  }
  async function settle(running: Promise<unknown>, stop: () => void): Promise<unknown> {
    try {
      return await running
    } catch (error) {
      throw toConnectionError(error)
    } finally {
      stop()
    }
  }
  client.query = ((...given: unknown[]) => {
    if (typeof (given[0] as { submit?: unknown } | undefined)?.submit === 'function') return query(...given)
    const stop = limitTime()
    const callback = given.at(-1)
    if (typeof callback !== 'function') return settle(query(...given) as Promise<unknown>, stop)
    return query(...given.slice(0, -1), (error: unknown, result: unknown) => {
      stop()
      callback(error ? toConnectionError(error) : error, result)
    })
  }) as typeof client.query
}
