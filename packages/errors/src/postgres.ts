import { type CodeTable, type ErrorFields, lookUp } from './classify.ts'
import { BusinessError } from './define-error.ts'
import { isTaskError, type TaskError, type TaskErrorClass } from './task-error.ts'
import {
  ConflictError,
  DatabaseConnectionError,
  DataValidationError,
  NetworkError,
  TemporaryError,
  UnexpectedError,
} from './taxonomy.ts'
import { toTaskError } from './to-task-error.ts'

/**
 * The class of an error of PostgreSQL, of what stands before it (PgBouncer, RDS Proxy) or of a driver: by SQLSTATE,
 * by the driver's code, and only where there is none by the driver's exact sentence.
 */
export function classifyPostgres({ name, code, message }: ErrorFields): TaskErrorClass | undefined {
  if (isSqlState(code))
    return isPoolerTrouble(code, `${message}`) ? DatabaseConnectionError : classifySqlState({ code })
  const known = lookUp(code, driverCodes) ?? lookUp(name, driverCodes)
  return (
    known ?? (code === undefined && driverSentences.has(`${message}`) ? DatabaseConnectionError : undefined)
  )
}

/** Five characters with a digit in them: EPIPE has none, and E2BIG is the system's. */
export function isSqlState(code: unknown): code is string {
  return typeof code === 'string' && /^(?!E2BIG)(?=.*\d)[\dA-Z]{5}$/.test(code)
}

/** The class of an error with an SQLSTATE: by it or, where it is not listed, by its first two characters. */
export function classifySqlState({ code }: ErrorFields): TaskErrorClass | undefined {
  if (!isSqlState(code)) return undefined
  return lookUp(code, sqlStates) ?? lookUp(code.slice(0, 2), sqlStates) ?? UnexpectedError
}

const sqlStates: CodeTable = [
  // A protocol violation, such as more than 65,535 bind parameters; a database that was dropped.
  [UnexpectedError, '08P01 57P04'],
  // Lost, refused or read-only connections: a new connection may work.
  [DatabaseConnectionError, '08 25006 25P03 25P04 53300 57P01 57P02 57P03 57P05'],
  // Serialization failures, deadlocks, locks, timeouts, resources.
  [TemporaryError, '40 53 55006 55P03 57014 58'],
  [ConflictError, '23505 23P01'],
  [DataValidationError, '22 23'],
  // RAISE EXCEPTION: a rule that is written in the database.
  [BusinessError, 'P0001'],
  // 42xxx and the like are our bugs.
]

/** Codes of postgres.js, and the name that Knex gives to a pool without a free connection. */
const driverCodes: CodeTable = [
  [
    DatabaseConnectionError,
    'CONNECTION_CLOSED CONNECTION_DESTROYED CONNECTION_ENDED CONNECT_TIMEOUT KnexTimeoutError',
  ],
]

/** What pg says without a code of a connection that is gone or does not answer. */
const driverSentences: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Connection terminated',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
])

/** PgBouncer reports all of its problems as a protocol violation; what follows is how those begin that pass. */
const poolerSentences = [
  'admin forced disconnect',
  'bouncer resources exhaustion',
  'client connections exceeded',
  'client_idle_timeout',
  'client_login_timeout',
  'connect failed',
  'connect timeout',
  'database configuration changed',
  'database shutdown',
  'evicted',
  'idle transaction timeout',
  'no memory for pool',
  'no more connections allowed',
  'pause failed',
  'pgbouncer cannot connect to server',
  'pooler is shutting down',
  'query timeout',
  'query_timeout',
  'query_wait_timeout',
  'server closed the connection',
  'server conn crashed?',
  'server DNS lookup failed',
  'server login failed',
  'server login has been failing',
  'transaction timeout',
] as const

function isPoolerTrouble(code: string, message: string): boolean {
  // RDS Proxy, with whatever code.
  if (message.startsWith('Timed-out waiting to acquire database connection')) return true
  return code === '08P01' && poolerSentences.some(sentence => message.startsWith(sentence))
}

/**
 * `toTaskError` for what a database's driver threw: there, trouble with the network is a connection that was lost
 * or refused, as in a failover. Never throws.
 */
export function toDatabaseError(value: unknown): TaskError {
  const error = toTaskError(value, classifyPostgres)
  if (!isTaskError(error, NetworkError)) return error
  return new DatabaseConnectionError(error.message, { cause: value })
}

/**
 * Whether the connection that an error came from is of no more use: gone, refused or, after a failover, to a server
 * that only reads. A pool should not lend it again.
 */
export function isConnectionLost(value: unknown): boolean {
  return isTaskError(toDatabaseError(value), DatabaseConnectionError)
}
