/** Imported lazily: a bundler keeps only what is named here. */
export { Kysely, PostgresDialect } from 'kysely'
