export { createPostgresOutbox, type PostgresOutboxOptions } from './postgres/postgres-outbox.ts'
export {
  createPostgresSuppressions,
  type PostgresSuppressionsOptions,
  suppressionsSql,
} from './postgres/postgres-suppressions.ts'
export type { Queryable } from './postgres/queryable.ts'
