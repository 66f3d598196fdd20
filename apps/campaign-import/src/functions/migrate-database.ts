import { bindFrom } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { migrateDatabase } from '@stepwright/postgres/migrations'
import { pool as database, maxSendRate, senders } from '../bindings.ts'

const migrate = migrateDatabase({
  migrationTableName: 'campaign_import_migration',
  migrations: async () => (await import('../tables.ts')).migrations,
})
/** It runs at each start and deployment, before any other: a wrong setting of theirs is told there. */
const pool = bindFrom({ database, maxSendRate, senders }, opened => opened.database)
export const MigrateDatabase = lambda(migrate, { pool }, { timeoutSeconds: 280 })
