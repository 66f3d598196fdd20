import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** An empty database of its own on a server. */
export interface Database extends AsyncDisposable {
  readonly url: string
  readonly name: string
  /** Disconnects its clients and deletes it. */
  drop(): Promise<void>
}

/** Creates a database on the server behind `serverUrl`, with a name that nobody else has unless one is given. */
export async function createDatabase(
  serverUrl: string,
  name: string = `stepwright_${randomBytes(8).toString('hex')}`,
): Promise<Database> {
  await execute(serverUrl, `CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE template0`)
  const url = new URL(serverUrl)
  url.pathname = `/${encodeURIComponent(name)}`
  const drop = (): Promise<void> =>
    execute(serverUrl, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`)
  return { url: url.href, name, drop, [Symbol.asyncDispose]: drop }
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
