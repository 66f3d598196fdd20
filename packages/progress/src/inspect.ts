import type { Inspected } from '@stepwright/app/bindings'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import { type JobTables, jobColumns } from './postgres-rows.ts'

export interface InspectedJobs {
  readonly pool: PostgresPool
  readonly tableName: string
}

/** What `jobStore` shows: the jobs of all users. Ends the pool when it is disposed. */
export function inspect({ pool, tableName }: InspectedJobs): Inspected['jobs'] {
  const db = new Kysely<JobTables>({ dialect: new PostgresDialect({ pool }) })
  return {
    async list(limit) {
      const rows = await db
        .selectFrom(tableName as 'processing_state')
        .select(jobColumns)
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ id, type, status, user_id, progress, attempt, ...row }) => ({
        id,
        type,
        status,
        userId: user_id,
        progress,
        attempt,
        createdMs: row.created_at.getTime(),
        updatedMs: row.updated_at.getTime(),
        ...(row.error !== null && { error: row.error }),
        ...(row.result !== null && { result: row.result }),
      }))
    },
    [Symbol.asyncDispose]: () => db.destroy(),
  }
}
