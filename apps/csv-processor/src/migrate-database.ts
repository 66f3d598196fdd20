import { migrateDatabase as migrate } from '@stepwright/postgres/migrations'

/** Brings the database's tables up to date, before anything else runs. */
export const migrateDatabase = /* @__PURE__ */ migrate({
  migrationTableName: 'csv_processor_migration',
  migrations: async () => (await import('./tables.ts')).migrations,
})
