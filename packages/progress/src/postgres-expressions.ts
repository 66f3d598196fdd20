import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { JobStatus } from './job.ts'
import { type JobTables, jobColumns } from './postgres-rows.ts'
import { statusesBefore } from './transitions.ts'

/** Until the end of the transaction, for all who lock the same. */
export async function lock(what: string, transaction: Kysely<JobTables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${what}))`.execute(transaction)
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
