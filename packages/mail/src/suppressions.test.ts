import { testDatabase } from '@stepwright/local-postgres/vitest'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll } from 'vitest'
import { createMemorySuppressions } from './memory.ts'
import { createSuppressionsMigration } from './migrations.ts'
import { createPostgresSuppressions } from './postgres.ts'
import { testSuppressions } from './testing.ts'

const { url } = await testDatabase()
const pool = new pg.Pool({ connectionString: url, max: 2 })
afterAll(() => pool.end())

testSuppressions('memory', async () => createMemorySuppressions())

testSuppressions('PostgreSQL', async () => {
  await pool.query('drop schema if exists mailing cascade; create schema mailing')
  const tableName = 'mailing.suppressions'
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
  await createSuppressionsMigration({ tableName }).up(db)
  return createPostgresSuppressions({ pool, tableName })
})
