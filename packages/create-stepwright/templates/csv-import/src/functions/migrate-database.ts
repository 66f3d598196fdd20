import { lambda } from '@stepwright/app/functions'
import { createLedgerMigration } from '@stepwright/batch-writer/migrations'
import { postgres } from '@stepwright/postgres/bindings'
import { migrateDatabase } from '@stepwright/postgres/migrations'
import { sql } from 'kysely'
import { db } from '../resources.ts'

/** Brings the tables up to date, before anything else runs. */
const migrate = migrateDatabase({
  migrationTableName: 'app_migration',
  migrations: {
    '0001-contact': {
      async up(connection) {
        await sql`create table contact (email text primary key, name text not null)`.execute(connection)
      },
    },
    '0002-ledger': createLedgerMigration(),
  },
})

export const MigrateDatabase = lambda(migrate, { pool: postgres(db) }, { timeoutSeconds: 300 })
