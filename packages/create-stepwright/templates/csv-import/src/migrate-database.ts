import { createLedgerMigration, migrateDatabase as migrate } from '@stepwright/batch-writer/migrations'
import { sql } from 'kysely'

/** Brings the tables up to date, before anything else runs. */
export const migrateDatabase = migrate({
  migrationTableName: 'app_migration',
  migrations: {
    '0001-contact': {
      async up(db) {
        await sql`create table contact (email text primary key, name text not null)`.execute(db)
      },
    },
    '0002-ledger': createLedgerMigration(),
  },
})
