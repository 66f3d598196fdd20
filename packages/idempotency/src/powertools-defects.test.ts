import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency'
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb'
import { makeHandlerIdempotent } from '@aws-lambda-powertools/idempotency/middleware'
import type { BasePersistenceLayer } from '@aws-lambda-powertools/idempotency/persistence'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import middy from '@middy/core'
import { defineBusinessError } from '@stepwright/errors'
import { type DynamoDb, startDynamoDb } from '@stepwright/local-dynamodb'
import { testDatabase } from '@stepwright/local-postgres/vitest'
import type { Context } from 'aws-lambda'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDynamoDbIdempotencyStore } from './dynamodb-store.ts'
import type { IdempotencyStore } from './idempotency-store.ts'
import { idempotencySql } from './idempotency-table.ts'
import { createPersistenceLayer } from './persistence-layer.ts'
import { createPostgresIdempotencyStore, type PostgresClient } from './postgres-store.ts'
import { createTable } from './test/dynamodb-table.ts'

class OutOfStock extends defineBusinessError('OutOfStock') {}

let dynamoDb: DynamoDb
let client: DynamoDBClient
let pool: pg.Pool
let tables = 0
let tableName: string
beforeAll(async () => {
  dynamoDb = await startDynamoDb()
  const { endpoint, region, credentials } = dynamoDb
  client = new DynamoDBClient({ endpoint, region, credentials })
  pool = new pg.Pool({ connectionString: (await testDatabase()).url })
})
afterAll(async () => {
  client.destroy()
  await pool.end()
  await dynamoDb.stop()
})
beforeEach(async () => {
  // Only the date: sockets and timers go on as usual.
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  tableName = `locks_${++tables}`
  await createTable(client, tableName)
  await pool.query(idempotencySql({ tableName }))
})
afterEach(() => {
  dynamoDb.faults.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

type CreateLayer = (namespace: string) => BasePersistenceLayer

function now() {
  return Date.now()
}
const postgresWithoutDelete: PostgresClient = {
  query(text, values) {
    if (text.includes('delete')) throw new Error('the database is down')
    return pool.query(text, values)
  },
}
function layerOn(store: () => IdempotencyStore): CreateLayer {
  return namespace => createPersistenceLayer({ namespace, now, store: store(), onTrouble: () => {} })
}
const onDynamoDb = layerOn(() => createDynamoDbIdempotencyStore({ client, tableName, now, clockSkewMs: 0 }))
const onPostgres = layerOn(() => createPostgresIdempotencyStore({ pool, tableName, now }))
const onFailingPostgres = layerOn(() =>
  createPostgresIdempotencyStore({ pool: postgresWithoutDelete, tableName, now }),
)

const powertools: CreateLayer = () => new DynamoDBPersistenceLayer({ tableName, awsSdkV3Client: client })
const ours: [string, CreateLayer][] = [
  ['DynamoDB', onDynamoDb],
  ['PostgreSQL', onPostgres],
]

function contextWith(remainingMs: number) {
  return { getRemainingTimeInMillis: () => remainingMs } as Context
}
function event() {
  return { orderId: 'A' }
}

/** Work that has begun and goes on until it is told how to end. */
function stage() {
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<string>()
  return {
    begun: begun.promise,
    end,
    work() {
      begun.resolve()
      return end.promise
    },
  }
}

/** How a call ended, as a word. */
function endOf(call: Promise<string>): Promise<string> {
  return call.catch((error: Error) => error.name)
}

describe('a duplicate that is rejected while the first call runs', () => {
  async function countRuns(createLayer: CreateLayer): Promise<number> {
    let runs = 0
    const first = stage()
    const handler = middy(async (_: object) => {
      runs += 1
      return runs === 1 ? first.work() : 'again'
    }).use(makeHandlerIdempotent({ persistenceStore: createLayer('charge') }))
    const context = contextWith(60_000)
    const call = handler(event(), context)
    await first.begun
    await endOf(handler(event(), context))
    await endOf(handler(event(), context))
    first.end.resolve('done')
    await endOf(call)
    return runs
  }

  it('deletes the running lock with Powertools, and the third call runs too', async () => {
    expect(await countRuns(powertools)).toBe(2)
  })
  it.each(ours)('leaves it alone with ours on %s', async (_, createLayer) => {
    expect(await countRuns(createLayer)).toBe(1)
  })
})

describe('a slow owner whose lock has expired and who finishes after its heir', () => {
  async function finishLate(createLayer: CreateLayer) {
    const slow = stage()
    const works = [() => slow.work(), async () => 'of the heir']
    const handler = makeIdempotent(async (_: object, __: Context) => works.shift()?.() ?? 'ran again', {
      persistenceStore: createLayer('charge'),
      config: new IdempotencyConfig({}),
    })
    const first = handler(event(), contextWith(1_000))
    await slow.begun
    vi.advanceTimersByTime(2_000)
    const heir = await handler(event(), contextWith(60_000))
    slow.end.resolve('too late')
    return { heir, slow: await endOf(first), later: await handler(event(), contextWith(60_000)) }
  }

  it('overwrites the heir’s result with Powertools: its update is unconditional', async () => {
    expect(await finishLate(powertools)).toEqual({ heir: 'of the heir', slow: 'too late', later: 'too late' })
  })
  it.each(ours)('is fenced off with ours on %s', async (_, createLayer) => {
    const facts = await finishLate(createLayer)
    expect(facts).toMatchObject({ heir: 'of the heir', later: 'of the heir' })
    expect(facts.slow).toBe('IdempotencyPersistenceLayerError')
  })
})

describe('a slow owner whose lock has expired and who fails while its heir runs', () => {
  async function countRuns(createLayer: CreateLayer): Promise<number> {
    const slow = stage()
    const heir = stage()
    let runs = 0
    const handler = makeIdempotent(
      async (_: object, __: Context) => {
        runs += 1
        return runs === 1 ? slow.work() : runs === 2 ? heir.work() : 'ran a third time'
      },
      { persistenceStore: createLayer('charge'), config: new IdempotencyConfig({}) },
    )
    const first = handler(event(), contextWith(1_000))
    await slow.begun
    vi.advanceTimersByTime(2_000)
    const second = handler(event(), contextWith(60_000))
    await heir.begun
    slow.end.reject(new Error('too slow'))
    await endOf(first)
    await endOf(handler(event(), contextWith(60_000)))
    heir.end.resolve('done')
    await second
    return runs
  }

  it('deletes the heir’s lock with Powertools: its delete is unconditional', async () => {
    expect(await countRuns(powertools)).toBe(3)
  })
  it.each(ours)('is fenced off with ours on %s', async (_, createLayer) => {
    expect(await countRuns(createLayer)).toBe(2)
  })
})

describe('two functions that are given the same payload', () => {
  async function callBoth(createLayer: CreateLayer): Promise<string[]> {
    const charge = makeIdempotent(async (_: object) => 'charged', { persistenceStore: createLayer('charge') })
    const refund = makeIdempotent(async (_: object) => 'refunded', {
      persistenceStore: createLayer('refund'),
    })
    return [await charge(event()), await refund(event())]
  }

  it('answer for each other with Powertools: a key names the Lambda function only', async () => {
    expect(await callBoth(powertools)).toEqual(['charged', 'charged'])
  })
  it.each(ours)('have keys of their own with ours on %s', async (_, createLayer) => {
    expect(await callBoth(createLayer)).toEqual(['charged', 'refunded'])
  })
})

describe('two functions that share a layer and run at the same time', () => {
  async function refundAgain(createLayer: CreateLayer): Promise<string[]> {
    const persistenceStore = createLayer('shared')
    const charging = stage()
    const charge = makeIdempotent(async (_: object) => charging.work(), {
      persistenceStore,
      keyPrefix: 'charge',
    })
    const refund = makeIdempotent(async (_: object) => 'refunded', { persistenceStore, keyPrefix: 'refund' })
    const charged = charge(event())
    await charging.begun
    const answers = [await refund(event())]
    charging.end.resolve('charged')
    await charged
    return [...answers, await refund(event())]
  }

  it('mix up their results with Powertools: the key is that of the last call', async () => {
    expect(await refundAgain(powertools)).toEqual(['refunded', 'charged'])
  })
  it.each(ours)('keep them apart with ours on %s', async (_, createLayer) => {
    expect(await refundAgain(createLayer)).toEqual(['refunded', 'refunded'])
  })
})

describe('a business error while the store fails', () => {
  async function fail(createLayer: CreateLayer): Promise<string> {
    dynamoDb.faults.inject({
      kind: 'error',
      error: 'InternalServerError',
      operation: 'DeleteItem',
      times: Number.POSITIVE_INFINITY,
    })
    const handler = makeIdempotent(
      async (_: object): Promise<string> => {
        throw new OutOfStock('none left')
      },
      { persistenceStore: createLayer('charge') },
    )
    return endOf(handler(event()))
  }

  it('is lost with Powertools: the state machine sees a failure of the store', async () => {
    expect(await fail(powertools)).toBe('IdempotencyPersistenceLayerError')
  })
  it.each([
    ['DynamoDB', onDynamoDb],
    ['PostgreSQL', onFailingPostgres],
  ])('arrives with ours on %s', async (_, createLayer) => {
    expect(await fail(createLayer)).toBe('OutOfStock')
  })
})

describe('a lock whose answer got lost, so that the SDK asks again', () => {
  async function call(createLayer: CreateLayer): Promise<string> {
    dynamoDb.faults.inject({ kind: 'drop', when: 'after', operation: 'PutItem' })
    const handler = makeIdempotent(async (_: object, __: Context) => 'done', {
      persistenceStore: createLayer('charge'),
    })
    return endOf(handler(event(), contextWith(60_000)))
  }

  it('is taken for somebody else’s by Powertools, and nobody runs', async () => {
    expect(await call(powertools)).toBe('IdempotencyAlreadyInProgressError')
  })
  it('is known as one’s own by ours', async () => {
    expect(await call(onDynamoDb)).toBe('done')
  })
})

describe('a call that runs for longer than results are kept', () => {
  async function countRuns(createLayer: CreateLayer): Promise<number> {
    const first = stage()
    let runs = 0
    const handler = makeIdempotent(
      async (_: object, __: Context) => {
        runs += 1
        return runs === 1 ? first.work() : 'ran too'
      },
      { persistenceStore: createLayer('charge'), config: new IdempotencyConfig({ expiresAfterSeconds: 1 }) },
    )
    const call = handler(event(), contextWith(60_000))
    await first.begun
    vi.advanceTimersByTime(5_000)
    await endOf(handler(event(), contextWith(60_000)))
    first.end.resolve('done')
    await endOf(call)
    return runs
  }

  it('loses its lock with Powertools', async () => {
    expect(await countRuns(powertools)).toBe(2)
  })
  it.each(ours)('keeps it with ours on %s', async (_, createLayer) => {
    expect(await countRuns(createLayer)).toBe(1)
  })
})
