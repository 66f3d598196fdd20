export type { IamCredentials, IamPasswordOptions } from './iam-password.ts'
export {
  createPostgresPool,
  type PostgresConnection,
  type PostgresPool,
  type PostgresPoolOptions,
  type QueryResult,
} from './postgres-pool.ts'
