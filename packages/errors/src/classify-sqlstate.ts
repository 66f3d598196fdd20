import { BusinessError } from './define-error.ts'
import type { TaskErrorClass } from './task-error.ts'
import {
  ConflictError,
  DatabaseConnectionError,
  DataValidationError,
  TemporaryError,
  UnexpectedError,
} from './taxonomy.ts'

/** Whole codes and classes of two characters; the longer match decides. */
const bySqlState: Readonly<Record<string, TaskErrorClass>> = {
  // Lost, refused or read-only connections: a new connection may do.
  '08': DatabaseConnectionError,
  '25006': DatabaseConnectionError,
  '25P03': DatabaseConnectionError,
  '25P04': DatabaseConnectionError,
  '53300': DatabaseConnectionError,
  '57P01': DatabaseConnectionError,
  '57P02': DatabaseConnectionError,
  '57P03': DatabaseConnectionError,
  '57P05': DatabaseConnectionError,
  // A protocol violation, such as more than 65,535 bind parameters: a new connection won't help.
  '08P01': UnexpectedError,
  // Serialization failures, deadlocks, locks, timeouts, resources.
  '40': TemporaryError,
  '53': TemporaryError,
  '55006': TemporaryError,
  '55P03': TemporaryError,
  '57014': TemporaryError,
  '58': TemporaryError,
  // The data.
  '22': DataValidationError,
  '23': DataValidationError,
  '23505': ConflictError,
  '23P01': ConflictError,
  // RAISE EXCEPTION in the database: a rule that was written there.
  P0001: BusinessError,
}

/** The class for a PostgreSQL error code; undefined if it is no SQLSTATE. 42xxx and the like are our bugs. */
export function classifySqlState(code: unknown): TaskErrorClass | undefined {
  // Five characters with a digit in them: EPIPE has none, and E2BIG is the system's.
  if (typeof code !== 'string' || !/^(?!E2BIG)(?=.*\d)[0-9A-Z]{5}$/.test(code)) return undefined
  return bySqlState[code] ?? bySqlState[code.slice(0, 2)] ?? UnexpectedError
}
