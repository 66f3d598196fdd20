import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { createProcessingStateMigration } from '../postgres.ts'

export interface JobTables {
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever table they made
  readonly db: Kysely<any>
  /** Makes an empty table and gives its name. */
  create(): Promise<string>
}

export function openJobTables(url: string): JobTables {
  const db = new Kysely<never>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 8 }) }),
  })
  let count = 0
  return {
    db,
    async create() {
      const table = `jobs_${count++}`
      await createProcessingStateMigration({ table }).up(db)
      return table
    },
  }
}
