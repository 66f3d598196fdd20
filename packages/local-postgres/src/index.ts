export {
  PostgresNotOwnedError,
  PostgresPlatformError,
  PostgresStartError,
  PostgresStoppedError,
} from './errors.ts'
export type { Database } from './postgres/database.ts'
export { type Postgres, type PostgresOptions, startPostgres } from './postgres.ts'
