/** PostgreSQL did not start; the message ends with what the server said. */
export class PostgresStartError extends Error {
  override readonly name = 'PostgresStartError'
}

/** There are no PostgreSQL binaries for this machine: name a server of your own in `databaseUrl`. */
export class PostgresPlatformError extends Error {
  override readonly name = 'PostgresPlatformError'
}

/** The server of `databaseUrl` is not ours to restart, kill or pause. */
export class PostgresNotOwnedError extends Error {
  override readonly name = 'PostgresNotOwnedError'
}

/** The server was stopped before this call. */
export class PostgresStoppedError extends Error {
  override readonly name = 'PostgresStoppedError'
}
