import { CompiledQuery, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { JobStatus } from './job.ts'
import { type JobTables, jobColumns } from './postgres-rows.ts'
import { statusesBefore } from './transitions.ts'

/**
 * Does work in a transaction that begins when nobody else's with the same name is open. The lock is taken with the
 * beginning, in one round trip.
 */
export function inTurn<T>(
  db: Kysely<JobTables>,
  name: string,
  work: (connection: Kysely<JobTables>) => Promise<T>,
): Promise<T> {
  const text = `'${name.replaceAll("'", "''")}'`
  return db.connection().execute(async connection => {
    const run = (statements: string) => connection.executeQuery(CompiledQuery.raw(statements))
    try {
      await run(`begin; select pg_advisory_xact_lock(hashtext(${text}))`)
      const result = await work(connection)
      await run('commit')
      return result
    } catch (error) {
      await run('rollback').catch(() => {})
      throw error
    }
  })
}

export const allColumns: RawBuilder<unknown> = /* @__PURE__ */ sql.join(
  jobColumns.map(column => sql.ref(column)),
)

export function columnsOf(table: string): RawBuilder<unknown> {
  return sql.join(jobColumns.map(column => sql.ref(`${table}.${column}`)))
}

export function canBecome(status: JobStatus): RawBuilder<SqlBool> {
  return sql`job.status = any(${statusesBefore(status)}::text[])`
}

/** By the clock of the statement. At 0 whatever the clocks say: they may run backwards. */
export function isSilent(silentForMs: number): RawBuilder<SqlBool> {
  if (silentForMs <= 0) return sql`true`
  return sql`job.heartbeat_at <= clock.now - ${silentForMs} * interval '1 millisecond'`
}
