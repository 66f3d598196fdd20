import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPostgresUploads } from './completed-uploads.ts'
import { migrations } from './tables.ts'
import { type RunningWorld, startWorld } from './test/running-world.ts'

const timeout = 120_000
let world: RunningWorld
beforeAll(async () => {
  world = await startWorld()
}, timeout)
afterAll(() => world[Symbol.asyncDispose](), timeout)

/** The database with tables of its own, as the first `count` migrations leave them. */
async function migrated(schema: string) {
  await world.pool.query(`create schema ${schema}`)
  const { url } = world.running.services.postgres
  const pool = new pg.Pool({ connectionString: url, options: `-c search_path=${schema}`, max: 1 })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const names = Object.keys(migrations)
  return {
    pool,
    db,
    async migrate(from: number, to: number) {
      for (const name of names.slice(from, to)) await migrations[name]?.up(db)
    },
    async activity() {
      const { rows } = await sql<object>`select * from user_activity order by user_id`.execute(db)
      return rows
    },
  }
}

it(
  'keeps what readers saw when uploads are to be completed: the newest of each file, and what had none',
  async () => {
    const { pool, db, migrate, activity } = await migrated('before_uploads')
    await migrate(0, 1)
    await pool.query("insert into user_activity values ('U1', 100, 200)")
    await migrate(1, 3)
    await pool.query(`insert into user_contribution values
    ('b/a.csv', '2024-01-01 1', 'U1', 1, 1),
    ('b/a.csv', '2024-01-02 1', 'U1', 2, 2),
    ('b/c.csv', '2024-01-01 9', 'U2', 5, 5)`)
    const before = await activity()
    expect(before).toEqual([
      { user_id: 'U1', login_count: '102', post_count: '202' },
      { user_id: 'U2', login_count: '5', post_count: '5' },
    ])
    await migrate(3, 4)
    expect(await activity()).toEqual(before)

    const uploads = createPostgresUploads({ pool })
    await pool.query("insert into user_contribution values ('b/c.csv', '2024-01-02 1', 'U2', 7, 7)")
    expect(await activity()).toEqual(before)
    expect(await uploads.complete('b/c.csv', '2024-01-02 1')).toBe('2024-01-02 1')
    expect((await activity())[1]).toEqual({ user_id: 'U2', login_count: '7', post_count: '7' })
    expect(await uploads.complete('b/c.csv', '2024-01-01 9')).toBe('2024-01-02 1')
    expect((await activity())[1]).toEqual({ user_id: 'U2', login_count: '7', post_count: '7' })
    await db.destroy()
  },
  timeout,
)

it('names a database that is gone', async () => {
  const uploads = createPostgresUploads({
    pool: { query: async () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })) },
  })
  await expect(uploads.complete('a', 'b')).rejects.toMatchObject({ name: 'DatabaseConnectionError' })
})
