import { createPostgresPool } from '@stepwright/postgres'
import { migrateDatabase } from '@stepwright/postgres/migrations'
import { Kysely, PostgresDialect, sql } from 'kysely'

const createOrders = {
  up: async (db: Kysely<unknown>) => void (await sql`create table orders (id int primary key)`.execute(db)),
}
const migrate = migrateDatabase({
  migrationTableName: 'shop_migration',
  migrations: { '001-orders': createOrders },
})

export async function prepare(connectionString: string): Promise<readonly string[]> {
  const pool = createPostgresPool({ connectionString, applicationName: 'shop' })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const { applied } = await migrate.run({}, { db })
  await db.destroy()
  return applied
}
