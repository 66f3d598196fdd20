import { migrateDatabase as migrate } from '@stepwright/postgres/migrations'

/** Brings the database to the newest schema; safe to run at the same time from many places. */
export const migrateDatabase = /* @__PURE__ */ migrate({
  migrationTableName: 'async_generation_migration',
  migrations: async () => (await import('./tables.ts')).migrations,
})
