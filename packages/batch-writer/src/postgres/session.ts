import { cancelOnServer, isLost, socketOf, toExchangeError } from '@stepwright/postgres/connection'
import type { CallLimits } from '../call-limits.ts'
import type { ConnectionPool, PoolConnection, Wire } from './connection-pool.ts'
import { type Answer, exchange } from './exchange.ts'

export interface Timeouts {
  /** @default 60000 */
  readonly statementTimeoutMs: number
  /** @default 10000 */
  readonly lockTimeoutMs: number
}

/** One connection for the time of one transaction. */
export interface Session {
  /** One round trip. Fails with the server's own error, or a `DatabaseConnectionError` if there is no answer. */
  send(send: (wire: Wire) => void): Promise<Answer>
  query(sql: string): Promise<Answer>
  /** Back to the pool if it is clean, closed otherwise. Later calls do nothing. */
  release(clean: boolean): void
}

/** Time for a cancelled or timed-out statement to be reported by a server that is alive. */
const graceMs = 3_000
const maxTimerMs = 2 ** 31 - 1

export async function openSession(
  pool: ConnectionPool,
  { signal, remainingMs }: CallLimits,
  { statementTimeoutMs }: Timeouts,
): Promise<Session> {
  const client = await connect(pool, signal)
  // While it is checked out nobody else listens, and an unheard error would end the process.
  const ignore = (): void => {}
  client.on('error', ignore)
  let broken = false
  let released = false

  async function send(write: (wire: Wire) => void): Promise<Answer> {
    signal.throwIfAborted()
    const timers: NodeJS.Timeout[] = []
    function hangUpAfter(ms: number): void {
      timers.push(
        setTimeout(
          () => socketOf(client).destroy(new Error(`the server did not answer in ${ms} ms`)),
          Math.min(ms, maxTimerMs),
        ),
      )
    }
    function cancel(): void {
      cancelOnServer(client)
      hangUpAfter(graceMs)
    }
    signal.addEventListener('abort', cancel, { once: true })
    hangUpAfter(Math.min(statementTimeoutMs, Math.max(0, remainingMs())) + graceMs)
    try {
      return await exchange(client, write)
    } catch (error) {
      if (isLost(error)) broken = true
      throw toExchangeError(error)
    } finally {
      signal.removeEventListener('abort', cancel)
      for (const timer of timers) clearTimeout(timer)
    }
  }
  return {
    send,
    query: sql => send(wire => wire.query(sql)),
    release(clean) {
      if (released) return
      released = true
      client.off('error', ignore)
      client.release(broken || !clean)
    },
  }
}

/** A session for some work; whoever fails leaves no connection behind. */
export async function withSession<T>(
  pool: ConnectionPool,
  limits: CallLimits,
  timeouts: Timeouts,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await openSession(pool, limits, timeouts)
  let clean = false
  try {
    const result = await work(session)
    clean = true
    return result
  } finally {
    session.release(clean)
  }
}

/** Begins a transaction. Everything here ends with it: a pooler may give the connection to anybody then. */
export function beginSql(
  { remainingMs }: CallLimits,
  { statementTimeoutMs, lockTimeoutMs }: Timeouts,
): string {
  const left = Math.max(1, Math.floor(Math.min(statementTimeoutMs, remainingMs())))
  return [
    'BEGIN ISOLATION LEVEL READ COMMITTED',
    `SET LOCAL statement_timeout = ${left}`,
    `SET LOCAL lock_timeout = ${Math.min(lockTimeoutMs, left)}`,
    // A frozen process must not hold its claim for ever.
    `SET LOCAL idle_in_transaction_session_timeout = ${statementTimeoutMs}`,
    // A deferred violation would only come with the commit, when the row can no longer be found.
    'SET CONSTRAINTS ALL IMMEDIATE',
  ].join(';')
}

async function connect(pool: ConnectionPool, signal: AbortSignal): Promise<PoolConnection> {
  signal.throwIfAborted()
  const connecting = pool.connect()
  let stopWaiting = (): void => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stopWaiting = () => reject(signal.reason)
    signal.addEventListener('abort', stopWaiting, { once: true })
  })
  try {
    return await Promise.race([connecting, aborted])
  } catch (error) {
    connecting.then(
      client => client.release(),
      () => {},
    )
    signal.throwIfAborted()
    if (pool.ending) throw new TypeError('pool must be open: it was ended')
    throw toExchangeError(error)
  } finally {
    signal.removeEventListener('abort', stopWaiting)
  }
}
