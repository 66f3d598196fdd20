import { DatabaseConnectionError, UnexpectedError } from '@stepwright/errors'
import { isConnectionLost, isSqlState } from '@stepwright/errors/postgres'

/** A `DatabaseConnectionError` for what a driver or a pooler says of a server that is gone, and all else as it is. */
export function toConnectionError(error: unknown): unknown {
  if (error instanceof DatabaseConnectionError || !isConnectionLost(error)) return error
  // Without the driver's words: they name hosts and ports.
  return new DatabaseConnectionError('the connection to the database failed or was lost', { cause: error })
}

/** The same where nothing but the server can fail: whatever has no SQLSTATE is trouble on the way to it. */
export function toExchangeError(error: unknown): unknown {
  if (isSignInRefused(error)) {
    // Without the server's words: they name the user and the database.
    return new UnexpectedError(
      `the database refused the sign-in (${error.code}): check the user, the password and the database of the connection string`,
      { code: error.code, cause: error },
    )
  }
  if (error instanceof DatabaseConnectionError || hasSqlState(error)) return toConnectionError(error)
  return new DatabaseConnectionError('the connection to the database failed or was lost', { cause: error })
}

/** Whether the connection is of no more use: gone, or, after a failover, to a server that only reads. */
export function isLost(error: unknown): boolean {
  return !hasSqlState(error) || isConnectionLost(error) || /^(08|58)/.test((error as { code: string }).code)
}

/** SQLSTATE class 28, and a database that does not exist (3D000). */
function isSignInRefused(error: unknown): error is { readonly code: string } {
  return hasSqlState(error) && /^(28|3D)/.test((error as { code: string }).code)
}

function hasSqlState(error: unknown): boolean {
  return isSqlState((error as { code?: unknown } | undefined)?.code)
}
