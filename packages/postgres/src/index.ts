export type { IamCredentials, IamPasswordOptions } from './iam-password.ts'
export {
  createPostgresPool,
  type PostgresConnection,
  type PostgresPool,
  type PostgresPoolOptions,
  type QueryResult,
  sharedPostgresPool,
} from './postgres-pool.ts'
