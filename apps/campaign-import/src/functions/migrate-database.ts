import { lambda } from '@stepwright/app/functions'
import { migrateDatabase } from '@stepwright/postgres/migrations'
import { pool } from '../bindings.ts'

const migrate = migrateDatabase({
  migrationTableName: 'campaign_import_migration',
  migrations: async () => (await import('../tables.ts')).migrations,
})
export const MigrateDatabase = lambda(migrate, { pool }, { timeoutSeconds: 280 })
