import { testDatabase } from '@stepwright/local-postgres/vitest'
import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { createLedgerMigration } from './migrations.ts'

const { url } = await testDatabase()
const pool = new pg.Pool({ connectionString: url })
const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
afterAll(() => db.destroy())

describe('createLedgerMigration', () => {
  it('creates the ledger and takes it away again', async () => {
    const migrator = new Migrator({
      db,
      provider: {
        getMigrations: async () => ({ '001-ledger': createLedgerMigration({ tableName: 'audit.chunks' }) }),
      },
    })
    const exists = async () =>
      (await pool.query("SELECT to_regclass('audit.chunks') IS NOT NULL AS yes")).rows[0].yes
    await pool.query('CREATE SCHEMA audit')
    expect((await migrator.migrateToLatest()).error).toBeUndefined()
    expect(await exists()).toBe(true)
    expect((await migrator.migrateDown()).error).toBeUndefined()
    expect(await exists()).toBe(false)
  })
})
