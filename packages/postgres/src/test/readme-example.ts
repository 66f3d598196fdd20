import { createPostgresPool } from '@stepwright/postgres'
import { migrateDatabase } from '@stepwright/postgres/migrations'
import { type Kysely, sql } from 'kysely'

const createOrders = {
  up: async (db: Kysely<unknown>) => void (await sql`create table orders (id int primary key)`.execute(db)),
}
const migrate = migrateDatabase({
  migrationTableName: 'shop_migration',
  migrations: { '001-orders': createOrders },
})

export async function prepare(connectionString: string): Promise<readonly string[]> {
  const pool = createPostgresPool({ connectionString, applicationName: 'shop' })
  const { applied } = await migrate.run({}, { pool })
  await pool.end()
  return applied
}
