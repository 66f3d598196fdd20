/** What is opened lazily: imported by itself, all of Kysely would be loaded at once. */
export { Kysely, PostgresDialect } from 'kysely'
