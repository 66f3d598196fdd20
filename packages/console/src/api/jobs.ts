import type { InspectedJob } from '../protocol.ts'
import type { ApiRoutes } from './context.ts'
import { importOfApp } from './import-of-app.ts'

/** The part of `pg` that is used. */
interface PgPackage {
  readonly default: {
    readonly Client: new (options: {
      connectionString: string
    }) => {
      connect(): Promise<void>
      query(text: string, values?: readonly unknown[]): Promise<{ rows: Readonly<Record<string, unknown>>[] }>
      end(): Promise<void>
      on(event: 'error', listener: () => void): void
    }
  }
}

const maxJobs = 500
/** What tells a table of `@stepwright/progress` from others. */
const columns = ['id', 'user_id', 'type', 'status', 'progress', 'heartbeat_at', 'attempt', 'entered_at']

export const jobRoutes: ApiRoutes = {
  'GET /api/jobs': async (_, context) => {
    if (context.app.database === undefined) return { jobs: [] }
    const { default: pg } = await importOfApp<PgPackage>(context, 'pg')
    const client = new pg.Client({ connectionString: context.running.services.postgres.url })
    // What ends the connection also ends the query, and is told there.
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows: tables } = await client.query(
        `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.columns
         where table_schema not in ('pg_catalog', 'information_schema') and column_name = any($1)
         group by table_schema, table_name having count(*) = $2`,
        [columns, columns.length],
      )
      const lists = await Promise.all(
        tables.map(({ name }) =>
          client.query(`select * from ${name} order by created_at desc limit ${maxJobs}`),
        ),
      )
      return { jobs: lists.flatMap(({ rows }) => rows.map(toJob)) }
    } finally {
      await client.end()
    }
  },
}

function toJob(row: Readonly<Record<string, unknown>>): InspectedJob {
  return {
    id: String(row['id']),
    type: String(row['type']),
    status: String(row['status']),
    userId: String(row['user_id']),
    progress: Number(row['progress']),
    attempt: Number(row['attempt']),
    createdMs: timeOf(row['created_at']),
    updatedMs: timeOf(row['updated_at']),
    error: row['error'] ?? undefined,
    result: row['result'] ?? undefined,
  }
}

function timeOf(value: unknown): number {
  return value instanceof Date ? value.getTime() : 0
}
