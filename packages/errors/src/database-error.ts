import { isTaskError, type TaskError } from './task-error.ts'
import { DatabaseConnectionError, NetworkError } from './taxonomy.ts'
import { toTaskError } from './to-task-error.ts'

/**
 * `toTaskError` for what a database's driver threw: there, trouble with the network is a connection that was lost
 * or refused, as in a failover. Never throws.
 */
export function toDatabaseError(value: unknown): TaskError {
  const error = toTaskError(value)
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
