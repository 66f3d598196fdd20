import { lambda } from '@stepwright/app/functions'
import { postgres } from '@stepwright/postgres/bindings'
import { migrateDatabase } from '@stepwright/postgres/migrations'
import { createJobSlotsMigration, createProcessingStateMigration } from '@stepwright/progress/postgres'
import { db } from '../resources.ts'

/** Brings the tables up to date, before anything else runs. */
const migrate = migrateDatabase({
  migrationTableName: 'app_migration',
  migrations: { '0001-jobs': createProcessingStateMigration(), '0002-slots': createJobSlotsMigration() },
})

export const MigrateDatabase = lambda(migrate, { pool: postgres(db) }, { timeoutSeconds: 300 })
