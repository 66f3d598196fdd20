import { type Kysely, sql } from 'kysely'

export interface StuckRowsQuery {
  /** A table of the application's own, which keeps a status. */
  readonly tableName: string
  readonly idColumn: string
  readonly statusColumn: string
  /** E.g. `'importing'`. */
  readonly status: string
  /** When the row got its status, as a timestamp. */
  readonly sinceColumn: string
  readonly olderThanMs: number
  /** @default 100 */
  readonly limit?: number
  /** Milliseconds since the epoch. @default the database's clock */
  readonly now?: () => number
}

export interface StuckRow {
  readonly id: string
  readonly since: Date
  readonly ageMs: number
}

/** The rows of any table that have kept one status for too long, the oldest first: what an alarm counts. */
export async function findStuckRows(
  // biome-ignore lint/suspicious/noExplicitAny: whatever tables the application has
  db: Kysely<any>,
  query: StuckRowsQuery,
): Promise<readonly StuckRow[]> {
  const since = sql.ref(query.sinceColumn)
  const { rows } = await sql<{ id: string; since: Date; age_ms: number }>`
    with clock as (select ${query.now ? sql`${new Date(query.now())}::timestamptz` : sql`now()`} as now)
    select ${sql.ref(query.idColumn)}::text as id, ${since} as since,
      (extract(epoch from clock.now - ${since}) * 1000)::float8 as age_ms
    from ${sql.table(query.tableName)}, clock
    where ${sql.ref(query.statusColumn)} = ${query.status}
      and ${since} <= clock.now - ${query.olderThanMs} * interval '1 millisecond'
    order by ${since} limit ${query.limit ?? 100}`.execute(db)
  return rows.map(row => ({ id: row.id, since: row.since, ageMs: row.age_ms }))
}
