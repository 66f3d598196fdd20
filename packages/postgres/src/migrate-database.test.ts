import { testDatabase } from '@stepwright/local-postgres/vitest'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { migrateDatabase } from './migrate-database.ts'

const { url } = await testDatabase()
const pool = new pg.Pool({ connectionString: url })
afterAll(() => pool.end())

function creating(tableName: string): Migration {
  return { up: async given => void (await sql.raw(`create table ${tableName} ()`).execute(given)) }
}

describe('migrateDatabase', () => {
  it('applies what is new, and fails with what the database says', async () => {
    const first = { '1': creating('first_table') }
    const migrationTableName = 'my_migration'
    const run = (migrations: Parameters<typeof migrateDatabase>[0]['migrations']) =>
      migrateDatabase({ migrations, migrationTableName }).run({}, { pool })
    expect(await run(first)).toEqual({ applied: ['1'] })
    const second = { ...first, '2': creating('second_table') }
    expect(await run(second)).toEqual({ applied: ['2'] })
    const broken = { up: async () => Promise.reject(Object.assign(new Error('gone'), { code: '57P01' })) }
    expect(await run(async () => second)).toEqual({ applied: [] })
    await expect(run({ ...second, '3': broken })).rejects.toMatchObject({ name: 'DatabaseConnectionError' })
  })

  it('names the migration and the statement that failed', async () => {
    const migrations = {
      a: creating('good_table'),
      b: {
        up: async (given: Kysely<unknown>) =>
          void (await sql`create table\n bad_table (id nonsense)`.execute(given)),
      },
    }
    await expect(
      migrateDatabase({ migrations, migrationTableName: 'failing_migration' }).run({}, { pool }),
    ).rejects.toMatchObject({
      name: 'UnexpectedError',
      message: expect.stringMatching(
        /^migration "b" failed at the statement "create table bad_table \(id nonsense\)": .*42704/,
      ),
    })
  })
})
