import { type AppResource, type Binding, bindFrom, reference } from '@stepwright/app/bindings'
import type { Kysely } from 'kysely'
import type { PostgresPool, PostgresPoolOptions } from './postgres-pool.ts'

/**
 * The pool of the app's database: one per process, however many functions and ports use it. A Lambda process opens one
 * connection; on one machine functions share a process.
 */
export function postgres(
  database: AppResource<'database'>,
  { concurrency = 8, ...options }: Omit<PostgresPoolOptions, 'connectionString'> = {},
): Binding<PostgresPool> {
  return bindFrom(reference(database), async connectionString => {
    const { sharedPostgresPool } = await import('./postgres-pool.ts')
    return sharedPostgresPool({ ...options, concurrency, connectionString })
  })
}

/** Kysely on a pool: `kysely<Database>(postgres(db))`. */
export function kysely<Database>(pool: Binding<PostgresPool>): Binding<Kysely<Database>> {
  return bindFrom(pool, async opened => {
    const { Kysely: Builder, PostgresDialect } = await import('./query-builder.ts')
    return new Builder<Database>({ dialect: new PostgresDialect({ pool: opened }) })
  })
}
