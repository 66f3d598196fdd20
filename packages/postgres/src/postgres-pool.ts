import type { ConnectionOptions } from 'node:tls'
import {
  aFunction,
  anything,
  assertOptions,
  aText,
  numberFrom,
  type OptionChecks,
  wholeFrom,
} from '@stepwright/errors/options'
import pg from 'pg'
import { guardConnections } from './guard-connections.ts'
import { createIamPassword, type IamPasswordOptions } from './iam-password.ts'

export interface PostgresPoolOptions {
  /** `postgres://user@host:5432/database`; with `?auth=iam`, the user signs in to RDS by IAM. */
  readonly connectionString: string
  /** Called for every new connection: a rotated secret. @default the URL's password, or a token of IAM */
  readonly password?: () => string | Promise<string>
  /** Whose token it is, where the URL says `auth=iam`. @default the function's own, in its region */
  readonly iam?: Pick<IamPasswordOptions, 'region' | 'credentials'>
  /** Shown in pg_stat_activity. @default 'stepwright' */
  readonly applicationName?: string
  /** Invocations that run at the same time in this process; a Lambda has one. @default 1 */
  readonly concurrency?: number
  /** @default 5000 */
  readonly connectTimeoutMs?: number
  /** How long a call waits while all connections are in use. @default 60000 */
  readonly waitTimeoutMs?: number
  /**
   * A statement that takes longer is cancelled on the server. It is the client that counts: poolers refuse settings at
   * the start of a connection, and leak those of a session. 0 for no limit, as migrations may want. @default 60000
   */
  readonly statementTimeoutMs?: number
  /** @default on and verified, but for passwords to loopback and sockets; give `{ ca }` for a private authority. */
  readonly tls?: boolean | { readonly ca?: string | Buffer; readonly servername?: string }
  /** @default Date.now */
  readonly now?: () => number
}

/** How long an unused connection stays open. */
const idleTimeoutMs = 60_000
/** A connection that was unused for longer is tested before it is used. */
const checkAfterMs = 5_000

const optionChecks: OptionChecks = {
  connectionString: anything,
  password: aFunction,
  iam: anything,
  applicationName: aText,
  concurrency: wholeFrom(1, Number.MAX_SAFE_INTEGER),
  connectTimeoutMs: numberFrom(0),
  waitTimeoutMs: numberFrom(0),
  statementTimeoutMs: numberFrom(0),
  tls: anything,
  now: aFunction,
}

/**
 * A pool for one Lambda: a connection per concurrent invocation, encrypted, tried after the process was frozen,
 * reopened when it breaks. What fails because the server is gone is a `DatabaseConnectionError`. Nothing is set on a
 * connection between calls, so RDS Proxy or PgBouncer may share it.
 */
export function createPostgresPool(given: PostgresPoolOptions): PostgresPool {
  assertOptions('createPostgresPool', given, optionChecks)
  const {
    connectionString,
    iam,
    applicationName = 'stepwright',
    concurrency = 1,
    connectTimeoutMs = 5_000,
    waitTimeoutMs = 60_000,
    statementTimeoutMs = 60_000,
    now = Date.now,
    ...options
  } = given
  const { byIam, ...server } = parseServer(connectionString)
  const tls = options.tls ?? (byIam || !isLocal(server.host))
  if (byIam && tls === false) throw new TypeError('auth=iam needs TLS: a token is a password')
  const password = options.password ?? (byIam ? createIamPassword({ ...server, ...iam, now }) : undefined)
  const pool = new pg.Pool({
    ...server,
    ...(password === undefined ? {} : { password: async () => password() }),
    application_name: applicationName,
    max: concurrency,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    // An idle connection is no reason for a process to stay.
    allowExitOnIdle: true,
    keepAlive: true,
    ssl: toSsl(tls),
  })
  // A connection that breaks while it is idle: the next call opens another.
  pool.on('error', () => {})
  const checkTimeoutMs = Math.min(connectTimeoutMs, 1_000)
  guardConnections(pool, {
    concurrency,
    waitTimeoutMs,
    checkAfterMs,
    checkTimeoutMs,
    statementTimeoutMs,
    now,
  })
  return pool as unknown as PostgresPool
}

/** A pool of `createPostgresPool`; Kysely's PostgresDialect takes it. */
export interface PostgresPool {
  readonly options: object
  /** Whether it was told to end. */
  readonly ending: boolean
  connect(): Promise<PostgresConnection>
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>>
  end(): Promise<void>
}

export interface PostgresConnection {
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>>
  query<Query extends object>(query: Query): Query
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  release(destroy?: boolean | Error): void
}

export interface QueryResult<Row> {
  readonly command: 'UPDATE' | 'DELETE' | 'INSERT' | 'SELECT' | 'MERGE' | 'COMMIT' | 'ROLLBACK'
  readonly rowCount: number
  readonly rows: Row[]
}

const shared = new Map<string, PostgresPool>()

/**
 * The pool of this process for a database: the same for all who ask with the same connection string and name, until
 * one of them ends it.
 */
export function sharedPostgresPool(options: PostgresPoolOptions): PostgresPool {
  const key = JSON.stringify([options.connectionString, options.applicationName])
  const before = shared.get(key)
  if (before && !before.ending) return before
  const pool = createPostgresPool(options)
  shared.set(key, pool)
  return pool
}

interface Server {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  /** Whether the user signs in by a token of IAM. */
  readonly byIam: boolean
}

/** Not left to pg: in its reading an empty password in the URL wins over a password function. */
function parseServer(connectionString: string): Server {
  if (!URL.canParse(connectionString) || !/^postgres(ql)?:/.test(connectionString)) {
    throw new TypeError('connectionString must be a URL such as postgres://user@host:5432/database')
  }
  const url = new URL(connectionString)
  const user = decodeURIComponent(url.username)
  const auth = url.searchParams.get('auth')
  if (auth !== null && auth !== 'iam') throw new TypeError('auth must be iam, or not be there')
  return {
    host: url.searchParams.get('host') ?? url.hostname.replaceAll(/[[\]]/g, ''),
    port: Number(url.port || 5432),
    user,
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || user,
    byIam: auth === 'iam',
  }
}

function isLocal(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)
}

function toSsl(tls: NonNullable<PostgresPoolOptions['tls']>): false | ConnectionOptions {
  if (tls === false) return false
  return { rejectUnauthorized: true, ...(tls === true ? {} : tls) }
}
