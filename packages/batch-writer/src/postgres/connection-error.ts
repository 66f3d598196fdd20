import { DatabaseConnectionError } from '@stepwright/errors'

/** What PgBouncer and RDS Proxy say when the database behind them is not there, whatever SQLSTATE they give it. */
const poolerTrouble =
  /query_wait_timeout|server_login_retry|login failed|no more connections allowed|cannot connect to server|server conn(ection)? (crashed|closed)|closed the connection unexpectedly|pgbouncer is (paused|suspended|shutting)|database (does not allow connections|is disabled)|waiting to acquire (a )?database connection|rds proxy (is|was|couldn't|could not|has no available)/i

/**
 * The same error, or a `DatabaseConnectionError` for one without a SQLSTATE: pg and the network report a lost server
 * in many ways, with host names and ports in them. Poolers report it with any SQLSTATE.
 */
export function toConnectionError(error: unknown): unknown {
  const { message } = error as { readonly message?: unknown }
  const isForeign = sqlStateOf(error) !== undefined && !poolerTrouble.test(String(message))
  if (isForeign || error instanceof DatabaseConnectionError) return error
  return new DatabaseConnectionError('the connection to the database failed or was lost', { cause: error })
}

/** Whether the connection is of no more use: gone, or, after a failover, to a server that only reads. */
export function isLost(error: unknown): boolean {
  return /^(08|57P|25006|25P0[34]|58)/.test(sqlStateOf(error) ?? '08')
}

function sqlStateOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' && /^(?!E2BIG)(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined
}
