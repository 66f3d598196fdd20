import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { chaosRounds } from '@stepwright/bench/chaos'
import { isTaskError } from '@stepwright/errors'
import { testDynamoDb } from '@stepwright/local-dynamodb/vitest'
import { testDatabase } from '@stepwright/local-postgres/vitest'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDynamoDbIdempotencyStore } from './dynamodb-store.ts'
import type { IdempotencyStore, Lock } from './idempotency-store.ts'
import { idempotencySql } from './idempotency-table.ts'
import { createMemoryIdempotencyStore, type MemoryRecord } from './memory-store.ts'
import { createPostgresIdempotencyStore } from './postgres-store.ts'
import { type Caller, type History, play, type Stores, ttlMs } from './test/callers.ts'
import { createTable } from './test/dynamodb-table.ts'

const clockSkewMs = 10_000

const callers: fc.Arbitrary<Caller[]> = fc.array(
  fc.record({
    key: fc.constantFrom('a', 'b'),
    startMs: fc.oneof(fc.nat(3_000), fc.nat(180_000)),
    skewMs: fc.integer({ min: -5_000, max: 5_000 }),
    workMs: fc.nat(40_000),
    fails: fc.nat(3).map(n => n === 0),
    lockSeconds: fc.option(fc.integer({ min: 3, max: 30 }), { nil: undefined }),
    remainingMs: fc.oneof(fc.integer({ min: 1_000, max: 60_000 }), fc.constant(Number.POSITIVE_INFINITY)),
    crashAfterMs: fc.option(fc.nat(50_000), { nil: undefined }),
    pause: fc.option(fc.record({ afterMs: fc.nat(40_000), durationMs: fc.nat(60_000) }), { nil: undefined }),
  }),
  { minLength: 2, maxLength: 14 },
)

function property(stores: () => Stores) {
  return fc.asyncProperty(callers, fc.infiniteStream(fc.nat(999)), async (plan, luck) => {
    expectLinearizable(await play(stores(), plan, () => luck.next().value))
  })
}

/** The longest that a result may be found after its effect: its time, the margin, and a pause before it is settled. */
const maxKeptMs = ttlMs + clockSkewMs + 120_000

function expectLinearizable({ effects, answers, last }: History): void {
  for (const [index, later] of effects.entries()) {
    const earlier = effects.slice(0, index).findLast(({ key }) => key === later.key)
    if (earlier) expect(later.atMs - earlier.atMs, 'from one effect to the next').toBeGreaterThan(ttlMs)
  }
  for (const { key, by, error, invokedAtMs, answeredAtMs } of answers) {
    if (by === undefined) {
      expect(isTaskError(error) || (error as Error).message === 'timed out', String(error)).toBe(true)
      continue
    }
    const effect = effects.find(each => each.by === by)
    if (effect === undefined) expect.fail(`the answer ${by} is of no effect`)
    expect(effect.key).toBe(key)
    expect(effect.atMs).toBeLessThanOrEqual(answeredAtMs)
    expect(invokedAtMs - effect.atMs).toBeLessThanOrEqual(maxKeptMs)
    const newer = effects.filter(
      each => each.key === key && each.atMs > effect.atMs && each.atMs < invokedAtMs,
    )
    expect(newer, 'effects that the answer is too old for').toEqual([])
  }
  expect(last?.by, 'the answer when all is over').toBeTypeOf('number')
}

function inMemory(effectInTransaction: boolean, skewMs = clockSkewMs) {
  return (): Stores => {
    const records = new Map<string, MemoryRecord>()
    return {
      effectInTransaction,
      open: now => createMemoryIdempotencyStore({ now, clockSkewMs: skewMs, records }),
    }
  }
}

/** Powertools' way: whoever comes last is believed. */
function unfenced(): Stores {
  const records = new Map<string, MemoryRecord>()
  const open = (now: () => number): IdempotencyStore => ({
    ...createMemoryIdempotencyStore({ now, clockSkewMs, records }),
    async complete({ key, token }, outcome, ttl) {
      const expiresAtMs = now() + ttl + clockSkewMs
      records.set(key, { token, fingerprint: undefined, outcome: JSON.stringify(outcome), expiresAtMs })
      return true
    },
  })
  return { effectInTransaction: true, open }
}

describe('the model itself', () => {
  it.each([
    ['locks that are not fenced', unfenced],
    ['no margin for clocks that differ', inMemory(false, 0)],
  ])('finds a second effect with %s', async (_, stores) => {
    const { failed, errorInstance } = await fc.check(property(stores), { numRuns: 5_000, endOnFailure: true })
    expect(failed).toBe(true)
    expect(String(errorInstance)).toContain('from one effect to the next')
  })
})

describe('runOnce is linearizable, with clocks up to 5 s wrong, crashes, pauses, lost and late messages', () => {
  const { clientConfig, tableName } = testDynamoDb()
  const client = new DynamoDBClient(clientConfig)
  let pool: pg.Pool
  beforeAll(async () => {
    await createTable(client, tableName('locks'))
    pool = new pg.Pool({ connectionString: (await testDatabase()).url })
    await pool.query(idempotencySql())
  })
  afterAll(async () => {
    client.destroy()
    await pool.end()
  })

  let worlds = 0
  const onDynamoDb = (): Stores => {
    const world = ++worlds
    const open = (now: () => number) =>
      createDynamoDbIdempotencyStore({ client, tableName: tableName('locks'), clockSkewMs, now })
    return { effectInTransaction: false, open: now => withinWorld(world, open(now)) }
  }
  const onPostgres = (effectInTransaction: boolean) => (): Stores => {
    const world = ++worlds
    const open = (now: () => number) => createPostgresIdempotencyStore({ pool, now })
    return { effectInTransaction, open: (_, serversNow) => withinWorld(world, open(serversNow)) }
  }

  it.each([
    ['in memory, with the effect in a transaction', inMemory(true), 300],
    ['in memory, with any effect of a process that heeds its lock', inMemory(false), 300],
    ['on DynamoDB, with any effect of a process that heeds its lock', onDynamoDb, 15],
    ['on PostgreSQL, with the effect in a transaction', onPostgres(true), 15],
    ['on PostgreSQL, with any effect of a process that heeds its lock', onPostgres(false), 15],
  ])('%s', async (_, stores, rounds) => {
    await fc.assert(property(stores), { numRuns: chaosRounds(rounds) })
  })
})

/** Keys of its own for each world, in a table that all share. */
function withinWorld(world: number, store: IdempotencyStore): IdempotencyStore {
  const rename = <T extends Lock>(lock: T): T => ({ ...lock, key: `${world}-${lock.key}` })
  return {
    acquire: claim => store.acquire(rename(claim)),
    find: key => store.find(`${world}-${key}`),
    renew: (lock, span) => store.renew(rename(lock), span),
    complete: (lock, outcome, ttl) => store.complete(rename(lock), outcome, ttl),
    release: lock => store.release(rename(lock)),
  }
}
