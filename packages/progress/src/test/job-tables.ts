import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { createJobSlotsMigration, createProcessingStateMigration } from '../postgres.ts'

export interface JobTables {
  readonly pool: pg.Pool
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever table they made
  readonly db: Kysely<any>
  /** Makes an empty table and gives its name. */
  create(): Promise<string>
}

export function openJobTables(url: string): JobTables {
  const pool = new pg.Pool({ connectionString: url, max: 8 })
  // A connection that breaks between two queries is nobody's failure, but would end the process.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
  let count = 0
  return {
    pool,
    db,
    async create() {
      const table = `jobs_${count++}`
      await createProcessingStateMigration({ tableName: table }).up(db)
      await createJobSlotsMigration({ tableName: table }).up(db)
      return table
    },
  }
}
