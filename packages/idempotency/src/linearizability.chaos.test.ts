import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { chaosRounds } from '@stepwright/bench/chaos'
import { ConcurrentExecutionError, isTaskError, TemporaryError } from '@stepwright/errors'
import { testDatabase, testDynamoDb } from '@stepwright/local-cloud/vitest'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDynamoDbStore } from './dynamodb-store.ts'
import { createTable } from './dynamodb-table.test.kit.ts'
import type { IdempotencyStore, Lock } from './idempotency-store.ts'
import { createMemoryStore, type MemoryRecord } from './memory-store.ts'
import { createPostgresStore, idempotencyTable } from './postgres-store.ts'
import { runOnce } from './run-once.ts'
import { createProcess, createWorld, type Fate } from './virtual-world.test.kit.ts'

const ttlMs = 60_000
const clockSkewMs = 10_000
const slowestMs = 500

interface Caller {
  readonly key: string
  readonly startMs: number
  readonly skewMs: number
  readonly workMs: number
  readonly fails: boolean
  readonly lockSeconds: number | undefined
  readonly remainingMs: number
  readonly crashAfterMs: number | undefined
  readonly pause: { readonly afterMs: number; readonly durationMs: number } | undefined
}

const callers: fc.Arbitrary<Caller[]> = fc.array(
  fc.record({
    key: fc.constantFrom('a', 'b'),
    startMs: fc.oneof(fc.nat(3_000), fc.nat(180_000)),
    skewMs: fc.integer({ min: -5_000, max: 5_000 }),
    workMs: fc.integer({ min: 0, max: 40_000 }),
    fails: fc.nat(3).map(n => n === 0),
    lockSeconds: fc.option(fc.integer({ min: 3, max: 30 }), { nil: undefined }),
    remainingMs: fc.oneof(fc.integer({ min: 1_000, max: 60_000 }), fc.constant(Number.POSITIVE_INFINITY)),
    crashAfterMs: fc.option(fc.integer({ min: 0, max: 50_000 }), { nil: undefined }),
    pause: fc.option(fc.record({ afterMs: fc.nat(40_000), durationMs: fc.nat(60_000) }), { nil: undefined }),
  }),
  { minLength: 2, maxLength: 14 },
)
/** Drawn on for every latency and every fate. */
const chance = fc.infiniteStream(fc.nat(999))

interface Effect {
  readonly key: string
  readonly by: number
  readonly atMs: number
}

interface Answer {
  readonly key: string
  readonly invokedAtMs: number
  readonly answeredAtMs: number
  readonly by?: number
  readonly error?: unknown
}

interface Stores {
  /** A store as a caller with this clock opens it. */
  open(callersNow: () => number, serversNow: () => number): IdempotencyStore
  /** The same, as the transaction of an effect: settling the key makes the effect happen. */
  readonly effectInTransaction: boolean
}

/** Runs all callers in one virtual world and returns what happened. */
async function play(stores: Stores, plan: readonly Caller[], luck: Iterator<number>) {
  const world = createWorld()
  const startedAtMs = world.time()
  const effects: Effect[] = []
  const answers: Answer[] = []
  const draw = (): number => luck.next().value
  const fates: readonly Fate[] = ['is lost', 'loses its answer', 'arrives again late']

  const call = async (caller: Caller, id: number): Promise<void> => {
    let effectUnrecorded = false
    const process = createProcess(world, {
      skewMs: caller.skewMs,
      latencyMs: () => draw() % slowestMs,
      fate: operation => {
        const fate = fates[draw() % 12] ?? 'arrives'
        return operation === 'complete' && !stores.effectInTransaction && fate !== 'arrives again late'
          ? 'arrives'
          : fate
      },
    })
    const open = (callersNow: () => number) => stores.open(callersNow, world.time)
    const store = process.reach(open)
    const transaction = process.reach(callersNow => ({
      ...open(callersNow),
      async complete(lock, outcome, ttl) {
        const done = await open(callersNow).complete(lock, outcome, ttl)
        if (done && !effects.some(effect => effect.by === id))
          effects.push({ key: caller.key, by: id, atMs: world.time() })
        return done
      },
    }))
    const { crashAfterMs, pause } = caller
    // Between a plain effect and its record nothing can help; that is what the transaction is for.
    if (crashAfterMs !== undefined)
      world.after(crashAfterMs, () => void (effectUnrecorded || process.crash()))
    if (pause) world.after(pause.afterMs, () => process.pause(pause.durationMs))

    const invokedAtMs = world.time()
    const endsAtMs = process.now() + caller.remainingMs
    const answered = (facts: Pick<Answer, 'by' | 'error'>) =>
      answers.push({ key: caller.key, invokedAtMs, answeredAtMs: world.time(), ...facts })
    const { sleep, now } = process
    const { key, lockSeconds } = caller
    const settings = { store, key, lockSeconds, ttlSeconds: ttlMs / 1000, now, sleep, onTrouble: () => {} }
    try {
      const by = await runOnce({ ...settings, remainingMs: () => endsAtMs - now() }, async lock => {
        await sleep(caller.workMs, new AbortController().signal)
        if (caller.fails) throw new TemporaryError('failed before the effect')
        if (stores.effectInTransaction) {
          await lock.completeIn(transaction, id)
        } else {
          if (lock.remainingMs() < 2 * slowestMs) throw new TemporaryError('too late to begin')
          effects.push({ key, by: id, atMs: world.time() })
          effectUnrecorded = true
        }
        return id
      })
      answered({ by })
    } catch (error) {
      answered({ error })
    }
  }

  for (const [id, caller] of plan.entries()) world.after(caller.startMs, () => void call(caller, id))
  await world.run()
  // When all locks are over, the key can be used.
  const calm: Caller = {
    key: 'a',
    startMs: 0,
    skewMs: 0,
    workMs: 0,
    fails: false,
    lockSeconds: undefined,
    remainingMs: 10_000,
    crashAfterMs: undefined,
    pause: undefined,
  }
  const before = answers.length
  const noLuck = { next: () => ({ done: false, value: 11 }) } as Iterator<number>
  luck = noLuck
  world.after(120_000, () => void call(calm, plan.length))
  await world.run()
  return { effects, answers: answers.slice(0, before), last: answers.at(-1), startedAtMs }
}

/** The longest that a result may be found after its effect: its time, the margin, and a pause before it is settled. */
const longestKeptMs = ttlMs + clockSkewMs + 120_000

async function checkHistory(stores: Stores, plan: readonly Caller[], luck: Iterator<number>): Promise<void> {
  const { effects, answers, last } = await play(stores, plan, luck)
  for (const [index, later] of effects.entries()) {
    const earlier = effects.slice(0, index).findLast(({ key }) => key === later.key)
    if (earlier) expect(later.atMs - earlier.atMs, 'from one effect to the next').toBeGreaterThan(ttlMs)
  }
  for (const { key, by, error, invokedAtMs, answeredAtMs } of answers) {
    if (by === undefined) {
      expect(isTaskError(error) || (error as Error).message === 'timed out').toBe(true)
      if (isTaskError(error, ConcurrentExecutionError) && error.retryAfterSeconds !== undefined) {
        expect(error.retryAfterSeconds).toBeGreaterThan(0)
      }
      continue
    }
    const effect = effects.find(each => each.by === by)
    if (effect === undefined) expect.fail(`the answer ${by} is of no effect`)
    expect(effect.key).toBe(key)
    expect(effect.atMs).toBeLessThanOrEqual(answeredAtMs)
    expect(invokedAtMs - effect.atMs).toBeLessThanOrEqual(longestKeptMs)
    const newer = effects.filter(
      each => each.key === key && each.atMs > effect.atMs && each.atMs < invokedAtMs,
    )
    expect(newer, 'effects that the answer is too old for').toEqual([])
  }
  expect(last?.by, 'the answer after everything').toBeTypeOf('number')
}

const property = (stores: () => Stores) =>
  fc.asyncProperty(callers, chance, (plan, luck) => checkHistory(stores(), plan, luck))

const inMemory =
  (effectInTransaction: boolean, skew = clockSkewMs) =>
  (): Stores => {
    const records = new Map<string, MemoryRecord>()
    return { effectInTransaction, open: now => createMemoryStore({ now, clockSkewMs: skew, records }) }
  }

/** Powertools' way: whoever comes last is believed. */
const unfenced = (): Stores => {
  const records = new Map<string, MemoryRecord>()
  const open = (now: () => number): IdempotencyStore => ({
    ...createMemoryStore({ now, clockSkewMs, records }),
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
  const dynamoDb = new DynamoDBClient(clientConfig)
  let pool: pg.Pool
  beforeAll(async () => {
    await createTable(dynamoDb, tableName('locks'))
    pool = new pg.Pool({ connectionString: (await testDatabase()).url })
    await pool.query(idempotencyTable())
  })
  afterAll(async () => {
    dynamoDb.destroy()
    await pool.end()
  })
  let worlds = 0
  /** Records of its own for each world, in a table that all share. */
  const apart = (store: IdempotencyStore, world: number): IdempotencyStore => {
    const rename = <T extends Lock>(lock: T): T => ({ ...lock, key: `${world}-${lock.key}` })
    return {
      acquire: claim => store.acquire(rename(claim)),
      find: key => store.find(`${world}-${key}`),
      renew: (lock, span) => store.renew(rename(lock), span),
      complete: (lock, outcome, ttl) => store.complete(rename(lock), outcome, ttl),
      release: lock => store.release(rename(lock)),
    }
  }
  const onDynamoDb = (): Stores => {
    const world = worlds++
    const open = (now: () => number) =>
      createDynamoDbStore({ client: dynamoDb, tableName: tableName('locks'), clockSkewMs, now })
    return { effectInTransaction: false, open: now => apart(open(now), world) }
  }
  const onPostgres = (effectInTransaction: boolean) => (): Stores => {
    const world = worlds++
    const open = (_: unknown, now: () => number) => apart(createPostgresStore({ client: pool, now }), world)
    return { effectInTransaction, open }
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
