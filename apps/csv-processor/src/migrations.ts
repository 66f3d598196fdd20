import { createLedgerMigration } from '@stepwright/batch-writer/migrations'
import { createPostgresPool } from '@stepwright/batch-writer/postgres'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { ledgerTable } from './database.ts'

const createUserActivity: Migration = {
  async up(db) {
    await sql`
      create table user_activity (
        user_id text collate "C" primary key,
        login_count bigint not null check (login_count >= 0),
        post_count bigint not null check (post_count >= 0)
      )`.execute(db)
  },
  async down(db) {
    await sql`drop table user_activity`.execute(db)
  },
}

const migrations: Readonly<Record<string, Migration>> = {
  '0001-user-activity': createUserActivity,
  '0002-ledger': createLedgerMigration({ tableName: ledgerTable }),
}

/** Brings the database's tables up to date. */
export async function migrateDatabase(connectionString: string): Promise<void> {
  const pool = createPostgresPool({ connectionString, applicationName: 'csv-processor-migrations' })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => ({ ...migrations }) },
      migrationTableName: 'csv_processor_migration',
      migrationLockTableName: 'csv_processor_migration_lock',
    })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
  } finally {
    await db.destroy()
  }
}
