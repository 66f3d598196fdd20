import { BusinessError } from './define-error.ts'
import type { TaskErrorClass } from './task-error.ts'
import {
  ConcurrentExecutionError,
  ConflictError,
  DatabaseConnectionError,
  DataValidationError,
  IdempotencyConflictError,
  NetworkError,
  NotFoundError,
  ServiceUnavailableException,
  TemporaryError,
  ThrottlingException,
  UnexpectedError,
} from './taxonomy.ts'

// The tables are inside functions, so that a cold start does not pay for patterns that only failures need.

/** "SQLSTATE message" of PostgreSQL, and of what stands before it: PgBouncer and RDS Proxy. */
function classifySqlState(text: string): TaskErrorClass | undefined {
  return find(
    text,
    // PgBouncer calls all its troubles a protocol violation: "server conn crashed?", "query_wait_timeout".
    [
      /^08P01 .*(conn|timeout|login|shut|evict|memory|exhaust|DNS|changed|pause)|Timed-out wait/,
      DatabaseConnectionError,
    ],
    // Lost, refused or read-only connections: a new connection may do. After a protocol violation, such as more than
    // 65,535 bind parameters, and in a dropped database (57P04) it does not.
    [/^(08(?!P01)|25006|25P0[34]|53300|57P0(?!4))/, DatabaseConnectionError],
    // Serialization failures, deadlocks, locks, timeouts, resources.
    [/^(40|53|55006|55P03|57014|58)/, TemporaryError],
    [/^23(505|P01)/, ConflictError],
    [/^2[23]/, DataValidationError],
    // RAISE EXCEPTION in the database: a rule that was written there.
    [/^P0001/, BusinessError],
    // 42xxx and the like are our bugs.
  )
}

/** "name fault status" of an AWS SDK v3 service exception. */
function classifyService(text: string): TaskErrorClass | undefined {
  return find(
    text,
    [/Throttl|TooMany|SlowDo|(^|[^e])LimitEx|ThroughputEx|PriorReq|429$/, ThrottlingException],
    [/^(Request)?Timeout/, NetworkError],
    [/ server|5..$/, ServiceUnavailableException],
    [/^Transaction(InP|Con)/, TemporaryError],
    [/NotFound|^NoSuch|404$/, NotFoundError],
    [/^ConditionalCheck|409$|412$/, ConflictError],
    [/client|\d$/, UnexpectedError],
  )
}

/** The class of an error that only has a name, a code or a text: "name code message" of Node, undici, pg and Powertools. */
export function classifyByName(text: string): TaskErrorClass | undefined {
  return find(
    text,
    [
      / E(CONN|HOST|NET|AI_|PIPE|TIMED|NOTF|ADDRN)| ERR_(STREAM_P|SOCK|HTTP2)| UND_ERR\w+(TIME|SOCK|CLOS|DEST)|^TypeError \S* (fetch failed|terminated)$/,
      NetworkError,
    ],
    // What pg says without a code.
    [/ (Connection te|timeout exc|Client has e)/, DatabaseConnectionError],
    [/^(AbortE|TimeoutE|Idempotency(Pers|Inc))| E([MN]FILE|AGAIN|BUSY) /, TemporaryError],
    [/^Idempotency(Item)?Alr/, ConcurrentExecutionError],
    [/^IdempotencyV/, IdempotencyConflictError],
    [/^IdempotencyK/, DataValidationError],
  )
}

type Fields = Readonly<Record<string, unknown>>

/** The class of an error that says itself what happened: a database's or a service's answer. */
export function classifyAnswer({
  name,
  code,
  message,
  $fault,
  $metadata,
  $retryable,
}: Fields): TaskErrorClass | undefined {
  if ($fault ?? $metadata) {
    if ($retryable) return ($retryable as Fields)['throttling'] ? ThrottlingException : TemporaryError
    return classifyService(`${name} ${$fault} ${($metadata as Fields)?.['httpStatusCode']}`)
  }
  // Five characters with a digit in them: EPIPE has none, and E2BIG is the system's.
  return /^(?!E2BIG)(?=.*\d)[\dA-Z]{5}$/.test(code as string)
    ? (classifySqlState(`${code} ${message}`) ?? UnexpectedError)
    : undefined
}

/** The first pattern that matches decides. */
function find(
  text: string,
  ...table: readonly (readonly [RegExp, TaskErrorClass])[]
): TaskErrorClass | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1]
}
