import { migrateDatabase as migrate } from '@stepwright/postgres/migrations'
import { createProcessingStateMigration } from '@stepwright/progress/postgres'

/** Brings the tables up to date, before anything else runs. */
export const migrateDatabase = migrate({
  migrationTableName: 'app_migration',
  migrations: { '0001-jobs': createProcessingStateMigration() },
})
