import { lambda } from '@stepwright/app/functions'
import { postgres } from '@stepwright/postgres/bindings'
import { migrateDatabase } from '@stepwright/postgres/migrations'
import { db } from '../resources.ts'

/** Brings the database's tables up to date, before anything else runs. */
const migrate = migrateDatabase({
  migrationTableName: 'csv_processor_migration',
  migrations: async () => (await import('../tables.ts')).migrations,
})
const pool = postgres(db, { applicationName: 'csv-processor-migrations' })

export const MigrateDatabase = lambda(migrate, { pool }, { timeoutSeconds: 300 })
