export { createPostgresJobStore, type PostgresJobStoreOptions } from './postgres-job-store.ts'
export {
  createJobSlotsMigration,
  createProcessingStateMigration,
  type ProcessingStateMigrationOptions,
} from './postgres-migration.ts'
export type { ProcessingStateTable } from './postgres-rows.ts'
