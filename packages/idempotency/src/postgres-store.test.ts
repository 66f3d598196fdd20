import { testDatabase } from '@stepwright/local-postgres/vitest'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idempotencySql } from './idempotency-table.ts'
import { createIdempotencyMigration } from './migrations.ts'
import { createPostgresIdempotencyStore, deleteExpiredKeys } from './postgres-store.ts'
import { purgeKeys } from './purge-keys.ts'
import { runOnce } from './run-once.ts'
import { testIdempotencyStore } from './testing.ts'

const { url } = await testDatabase()
const pool = new pg.Pool({ connectionString: url })
afterAll(() => pool.end())
beforeAll(async () => {
  await pool.query(idempotencySql())
  await pool.query(idempotencySql())
  await pool.query('create schema billing')
  await pool.query(idempotencySql({ tableName: 'billing.locks' }))
  await pool.query('create table payment (order_id text, amount int)')
})

describe.each([undefined, 'billing.locks'])('createPostgresIdempotencyStore in the table %s', tableName => {
  testIdempotencyStore(() => {
    let time = 1_700_000_000_000
    const store = createPostgresIdempotencyStore({
      pool,
      now: () => time,
      ...(tableName && { tableName }),
    })
    return {
      store,
      advance(ms) {
        time += ms
      },
    }
  })
})

describe('createPostgresIdempotencyStore', () => {
  const store = createPostgresIdempotencyStore({ pool })

  it('counts by the server’s clock unless told otherwise', async () => {
    await store.acquire({ key: 'a', token: 't1', lockMs: 30_000, ttlMs: 60_000 })
    const { rows } = await pool.query(
      `select in_progress_expiration - extract(epoch from now()) * 1000 as left from idempotency where id = 'a'`,
    )
    expect(Number(rows[0].left)).toBeGreaterThan(0)
    expect(Number(rows[0].left)).toBeLessThanOrEqual(30_001)
    expect(await store.acquire({ key: 'a', token: 't2', lockMs: 30_000, ttlMs: 60_000 })).toMatchObject({
      state: 'held',
    })
  })

  it.each(['', 'a b', 'a;b', 'a"b', 'a.b.c'])('refuses the table name %j', tableName => {
    expect(() => createPostgresIdempotencyStore({ pool, tableName })).toThrow(TypeError)
    expect(() => idempotencySql({ tableName })).toThrow(TypeError)
  })

  /** Pays in the same transaction as the key is settled, after the given trouble. */
  const pay = (orderId: string, trouble: (transaction: pg.PoolClient) => Promise<void> = async () => {}) =>
    runOnce({ store, key: `pay#${orderId}`, remainingMs: () => 30_000 }, async lock => {
      const transaction = await pool.connect()
      try {
        await transaction.query('begin')
        await transaction.query('insert into payment values ($1, 5)', [orderId])
        await lock.completeIn(createPostgresIdempotencyStore({ pool: transaction }), { paid: orderId })
        await trouble(transaction)
        await transaction.query('commit')
        return { paid: orderId }
      } catch (error) {
        await transaction.query('rollback')
        throw error
      } finally {
        transaction.release()
      }
    })
  const payments = async (orderId: string) =>
    (await pool.query('select from payment where order_id = $1', [orderId])).rowCount

  it('settles the key in the transaction of the effect', async () => {
    expect(await pay('A')).toEqual({ paid: 'A' })
    expect(await pay('A')).toEqual({ paid: 'A' })
    expect(await payments('A')).toBe(1)
  })

  it('knows that the effect happened when the process fails right after the commit', async () => {
    const failed = pay('B', async transaction => {
      await transaction.query('commit')
      throw new Error('crashed')
    })
    await expect(failed).rejects.toThrow('crashed')
    expect(await pay('B')).toEqual({ paid: 'B' })
    expect(await payments('B')).toBe(1)
  })

  it('knows that the effect did not happen when the transaction was rolled back', async () => {
    await expect(pay('C', () => Promise.reject(new Error('crashed')))).rejects.toThrow('crashed')
    expect(await payments('C')).toBe(0)
    expect(await pay('C')).toEqual({ paid: 'C' })
    expect(await payments('C')).toBe(1)
  })

  it('rolls back the effect of an owner that lost its lock', async () => {
    const late = runOnce({ store, key: 'pay#D', remainingMs: () => 30_000 }, async lock => {
      await pool.query(`update idempotency set in_progress_expiration = 0 where id = 'pay#D'`)
      await pay('D')
      const transaction = await pool.connect()
      await transaction.query('begin')
      await transaction.query(`insert into payment values ('D', 5)`)
      const settled = lock.completeIn(createPostgresIdempotencyStore({ pool: transaction }), {
        paid: 'twice',
      })
      await expect(settled).rejects.toThrow('the lock on pay#D expired')
      await transaction.query('rollback')
      transaction.release()
      return settled
    })
    await expect(late).rejects.toThrow('the lock on pay#D expired')
    expect(await payments('D')).toBe(1)
  })
})

describe('createIdempotencyMigration', () => {
  it('makes the table, and takes it away again', async () => {
    const db = new Kysely<Record<string, unknown>>({ dialect: new PostgresDialect({ pool }) })
    const migration = createIdempotencyMigration({ tableName: 'migrated' })
    await migration.up(db)
    const store = createPostgresIdempotencyStore({ pool, tableName: 'migrated' })
    expect(await store.find('nothing')).toBeUndefined()
    await migration.down?.(db)
    await expect(store.find('nothing')).rejects.toMatchObject({ code: '42P01' })
  })
})

describe('deleteExpiredKeys', () => {
  it('deletes what has expired, in portions, and nothing else', async () => {
    await pool.query(idempotencySql({ tableName: 'old_keys' }))
    let time = 1_700_000_000_000
    const options = { pool, tableName: 'old_keys', now: () => time }
    const store = createPostgresIdempotencyStore(options)
    for (const key of ['a', 'b', 'c']) {
      await store.acquire({ key, token: key, lockMs: 1_000, ttlMs: 1_000 })
      await store.complete({ key, token: key }, { ok: true, value: 1 }, 60_000)
    }
    await store.acquire({ key: 'running', token: 't', lockMs: 900_000, ttlMs: 1_000 })
    await store.acquire({ key: 'crashed', token: 't', lockMs: 1_000, ttlMs: 1_000 })
    expect(await deleteExpiredKeys(options)).toBe(0)
    time += 61_001
    expect(await deleteExpiredKeys(options, 3)).toBe(3)
    expect(await deleteExpiredKeys(options, 3)).toBe(1)
    expect(await deleteExpiredKeys(options, 3)).toBe(0)
    expect(await store.find('running')).toMatchObject({ state: 'held' })
  })

  it('goes by the server’s clock unless told otherwise', async () => {
    await pool.query(idempotencySql({ tableName: 'fresh_keys' }))
    const options = { pool, tableName: 'fresh_keys' }
    await createPostgresIdempotencyStore(options).acquire({
      key: 'a',
      token: 't',
      lockMs: 60_000,
      ttlMs: 60_000,
    })
    expect(await deleteExpiredKeys(options)).toBe(0)
    await pool.query('update fresh_keys set expiration = 1')
    expect(await deleteExpiredKeys(options)).toBe(1)
  })
})

describe('purgeKeys', () => {
  it('deletes all that have expired, or as many as there is time for', async () => {
    await pool.query(idempotencySql({ tableName: 'purged_keys' }))
    const options = { pool, tableName: 'purged_keys' }
    const store = createPostgresIdempotencyStore(options)
    const expire = async (count: number) => {
      for (let key = 0; key < count; key += 1) {
        await store.acquire({ key: `k${key}`, token: 't', lockMs: 60_000, ttlMs: 60_000 })
      }
      await pool.query('update purged_keys set expiration = 1')
    }
    const ports = { deleteExpired: (limit: number) => deleteExpiredKeys(options, limit) }
    await expire(5)
    await store.acquire({ key: 'fresh', token: 't', lockMs: 60_000, ttlMs: 60_000 })
    expect(await purgeKeys.run({ batchSize: 2 }, ports)).toEqual({ deleted: 5, done: true })
    expect(await store.find('fresh')).toMatchObject({ state: 'held' })
    await expire(5)
    const short = { remainingMs: () => 1000 }
    expect(await purgeKeys.run({ batchSize: 2 }, ports, short)).toEqual({ deleted: 2, done: false })
  })
})
