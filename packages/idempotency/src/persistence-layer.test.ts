import { randomUUID } from 'node:crypto'
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency'
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb'
import { makeHandlerIdempotent } from '@aws-lambda-powertools/idempotency/middleware'
import type { BasePersistenceLayer } from '@aws-lambda-powertools/idempotency/persistence'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import middy from '@middy/core'
import {
  ConcurrentExecutionError,
  defineBusinessError,
  IdempotencyConflictError,
  isTaskError,
  PayloadTooLargeError,
  type TaskErrorClass,
  toTaskError,
} from '@stepwright/errors'
import { testDynamoDb } from '@stepwright/local-dynamodb/vitest'
import type { Context } from 'aws-lambda'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDynamoDbIdempotencyStore } from './dynamodb-store.ts'
import { IdempotencyStoreError } from './errors.ts'
import type { IdempotencyStore } from './idempotency-store.ts'
import { createMemoryIdempotencyStore } from './memory-store.ts'
import { createPersistenceLayer, type PersistenceLayerOptions } from './persistence-layer.ts'
import { createTable } from './test/dynamodb-table.ts'
import { createProcess, createWorld, type Process, type World } from './test/virtual-world.ts'

class OutOfStock extends defineBusinessError('OutOfStock') {}

interface Order {
  readonly orderId: string
  readonly amount?: number
}

let world: World
let here: Process
let store: IdempotencyStore
let troubles: string[]
let runs: number
beforeEach(() => {
  world = createWorld()
  here = createProcess(world)
  store = createMemoryIdempotencyStore({ now: world.time })
  troubles = []
  runs = 0
})

const never = new AbortController().signal
function context(remainingMs = 60_000) {
  return { getRemainingTimeInMillis: () => remainingMs } as Context
}
function layer(options: Partial<PersistenceLayerOptions> = {}) {
  return createPersistenceLayer({
    store,
    namespace: 'charge',
    now: here.now,
    sleep: here.sleep,
    random: () => 1,
    onTrouble: doing => troubles.push(doing),
    ...options,
  })
}
function idempotentBy<Result>(
  work: (order: Order) => Promise<Result>,
  options: Partial<PersistenceLayerOptions> = {},
  config: ConstructorParameters<typeof IdempotencyConfig>[0] = {},
) {
  return makeIdempotent((order: Order, _: Context) => work(order), {
    persistenceStore: layer(options),
    config: new IdempotencyConfig(config),
  })
}
async function count() {
  return ++runs
}
function takes(durationMs: number) {
  return async () => {
    await here.sleep(durationMs, never)
    return ++runs
  }
}
async function errorOf(call: Promise<unknown>) {
  return toTaskError(
    await call.then(
      () => expect.fail('no error'),
      e => e,
    ),
  )
}
async function expectError(
  call: Promise<unknown>,
  errorClass: TaskErrorClass,
  facts: object = {},
): Promise<void> {
  const error = await errorOf(call)
  expect(error).toMatchObject({ name: errorClass.errorName, ...facts })
  expect(isTaskError(error, errorClass)).toBe(true)
}

describe('createPersistenceLayer', () => {
  it('lets a function run once for each key', async () => {
    const handler = idempotentBy(count)
    expect(await handler({ orderId: 'A' }, context())).toBe(1)
    expect(await handler({ orderId: 'A' }, context())).toBe(1)
    expect(await handler({ orderId: 'B' }, context())).toBe(2)
  })

  it('says when the lock expires in a retryable ConcurrentExecutionError, thrown as it is', async () => {
    const handler = idempotentBy(takes(10_000))
    const first = handler({ orderId: 'A' }, context(30_000))
    await world.run(world.time() + 4_000)
    const error = await handler({ orderId: 'A' }, context()).catch(error => error)
    expect(error).toMatchObject({
      name: 'ConcurrentExecutionError',
      kind: 'retryable',
      retryAfterSeconds: 26,
    })
    expect(await world.play(first)).toBe(1)
  })

  it('refuses another payload with an IdempotencyConflictError, thrown as it is', async () => {
    const config = { eventKeyJmesPath: 'orderId', payloadValidationJmesPath: 'amount' }
    const handler = idempotentBy(count, {}, config)
    await handler({ orderId: 'A', amount: 5 }, context())
    expect(await handler({ orderId: 'A', amount: 5 }, context())).toBe(1)
    const error = await handler({ orderId: 'A', amount: 6 }, context()).catch(error => error)
    expect(isTaskError(error, IdempotencyConflictError)).toBe(true)
  })

  it('lets a crashed owner block the key for the Lambda’s remaining time only', async () => {
    void idempotentBy(takes(20_000))({ orderId: 'A' }, context(30_000))
    await world.run(world.time() + 1_000)
    here.crash()
    here = createProcess(world)
    const handler = idempotentBy(count)
    await world.run(world.time() + 28_000)
    await expectError(handler({ orderId: 'A' }, context()), ConcurrentExecutionError)
    await world.run(world.time() + 1_001)
    expect(await handler({ orderId: 'A' }, context())).toBe(1)
  })

  it('renews a short lock while the function runs', async () => {
    const handler = idempotentBy(takes(60_000), { lockSeconds: 3 })
    const first = handler({ orderId: 'A' }, context(900_000))
    for (let second = 0; second < 59; second += 1) {
      await world.run(world.time() + 1_000)
      await expectError(handler({ orderId: 'A' }, context()), ConcurrentExecutionError)
    }
    expect(await world.play(first)).toBe(1)
  })

  it('tells a slow owner to come again for the result of its heir', async () => {
    const works = [takes(10_000), async () => 99]
    const handler = idempotentBy(async () => works.shift()?.() ?? 0)
    const slow = handler({ orderId: 'A' }, context(1_000))
    await world.run(world.time() + 1_001)
    expect(await handler({ orderId: 'A' }, context())).toBe(99)
    const refused = expectError(slow, ConcurrentExecutionError)
    await world.run()
    await refused
    expect(await handler({ orderId: 'A' }, context())).toBe(99)
  })

  it('frees the key when the function fails', async () => {
    const works = [() => Promise.reject(new OutOfStock('none left')), count]
    const handler = idempotentBy(async () => works.shift()?.())
    await expectError(handler({ orderId: 'A' }, context()), OutOfStock)
    expect(await handler({ orderId: 'A' }, context())).toBe(1)
  })

  it('throws a business failure that was stored by other means', async () => {
    const failing: IdempotencyStore = {
      ...store,
      complete: (lock, _, ttlMs) =>
        store.complete(
          lock,
          { ok: false, failure: { name: 'OutOfStock', message: 'none left', httpStatus: 422 } },
          ttlMs,
        ),
    }
    await idempotentBy(async () => 'ignored', { store: failing })({ orderId: 'A' }, context())
    const again = idempotentBy(count, {}, { useLocalCache: true })
    for (let time = 0; time < 2; time += 1) {
      await expectError(again({ orderId: 'A' }, context()), OutOfStock, { message: 'none left' })
    }
    expect(runs).toBe(0)
  })

  it('answers although the result cannot be stored, since it is true', async () => {
    const down: IdempotencyStore = { ...store, complete: () => Promise.reject(new Error('down')) }
    expect(await world.play(idempotentBy(count, { store: down })({ orderId: 'A' }, context()))).toBe(1)
    expect(troubles).toHaveLength(3)
  })

  it('runs nothing when the store cannot be asked', async () => {
    const down: IdempotencyStore = { ...store, acquire: () => Promise.reject(new Error('down')) }
    const handler = idempotentBy(count, { store: down })
    await expectError(handler({ orderId: 'A' }, context()), IdempotencyStoreError)
    expect(runs).toBe(0)
  })

  it('does not repeat an effect whose result is too large to keep', async () => {
    const handler = idempotentBy(async () => 'x'.repeat(101 + ++runs), { maxResultBytes: 100 })
    await expectError(handler({ orderId: 'A' }, context()), PayloadTooLargeError)
    await expectError(handler({ orderId: 'A' }, context()), PayloadTooLargeError)
    expect(runs).toBe(1)
  })

  it('replays from Powertools’ local cache without asking the store', async () => {
    let asked = 0
    const counting: IdempotencyStore = {
      ...store,
      acquire(claim) {
        asked += 1
        return store.acquire(claim)
      },
    }
    const handler = idempotentBy(count, { store: counting, now: Date.now }, { useLocalCache: true })
    expect(await handler({ orderId: 'A' }, context())).toBe(1)
    expect(await handler({ orderId: 'A' }, context())).toBe(1)
    expect(asked).toBe(1)
  })

  it('keeps the results of functions that share it apart in Powertools’ local cache, too', async () => {
    const persistenceStore = layer({ now: Date.now, store: createMemoryIdempotencyStore() })
    const config = new IdempotencyConfig({ useLocalCache: true })
    const charge = makeIdempotent(
      async (_: Order, __: Context) => {
        await here.sleep(1_000, never)
        return 'charged'
      },
      { persistenceStore, config, keyPrefix: 'charge' },
    )
    const refund = makeIdempotent(async (_: Order, __: Context) => 'refunded', {
      persistenceStore,
      config,
      keyPrefix: 'refund',
    })
    const charging = charge({ orderId: 'A' }, context())
    await refund({ orderId: 'A' }, context())
    expect(await world.play(charging)).toBe('charged')
    expect(await refund({ orderId: 'A' }, context())).toBe('refunded')
    expect(await charge({ orderId: 'A' }, context())).toBe('charged')
  })

  it('refuses a lock of no length', () => {
    expect(() => layer({ lockSeconds: 0 })).toThrow(TypeError)
  })

  it('reads a record for those who ask', async () => {
    const persistence = layer()
    persistence.configure({ config: new IdempotencyConfig({}) })
    await expect(persistence.getRecord({ orderId: 'A' })).rejects.toMatchObject({
      name: 'IdempotencyItemNotFoundError',
    })
    await persistence.saveInProgress({ orderId: 'A' }, 1_000)
    await expectError(persistence.getRecord({ orderId: 'A' }), ConcurrentExecutionError)
  })

  it('returns to its namespace after a function with a keyPrefix of its own', async () => {
    const persistenceStore = layer()
    const prefixed = makeIdempotent(async (_: Order, __: Context) => 'prefixed', {
      persistenceStore,
      keyPrefix: 'other',
    })
    const plain = makeIdempotent(async (_: Order, __: Context) => 'plain', { persistenceStore })
    expect(await prefixed({ orderId: 'A' }, context())).toBe('prefixed')
    expect(await plain({ orderId: 'A' }, context())).toBe('plain')
  })

  it('takes texts and numbers for payloads, of one function', async () => {
    const persistenceStore = layer()
    const one = makeIdempotent(async (id: string, _: Context) => `one ${id} ${++runs}`, {
      persistenceStore,
      keyPrefix: 'one',
    })
    const two = makeIdempotent(async (id: string, _: Context) => `two ${id}`, {
      persistenceStore,
      keyPrefix: 'two',
    })
    expect([await one('A', context()), await one('A', context()), await one('B', context())]).toEqual([
      'one A 1',
      'one A 1',
      'one B 2',
    ])
    const error = await two('A', context()).catch(error => error)
    expect(error.cause).toBeInstanceOf(TypeError)
    expect(error.cause.message).toContain('give each its own')
  })

  it('does not let a rejected call with the very same object delete the lock', async () => {
    const handler = middy((_: Order) => takes(10_000)()).use(
      makeHandlerIdempotent({ persistenceStore: layer() }),
    )
    const order = { orderId: 'A' }
    const first = handler(order, context())
    await world.run(world.time() + 1_000)
    for (let time = 0; time < 3; time += 1)
      await expectError(handler(order, context()), ConcurrentExecutionError)
    expect(await world.play(first)).toBe(1)
  })

  it('gives nobody the lock of a call that it cannot tell from another', async () => {
    const works = [takes(10_000), takes(20_000)]
    const handler = idempotentBy(async () => works.shift()?.() ?? 0)
    const order = { orderId: 'A' }
    const slow = errorOf(handler(order, context(1_000)))
    await world.run(world.time() + 1_001)
    const heir = handler(order, context())
    await world.run()
    expect(isTaskError(await slow, ConcurrentExecutionError)).toBe(true)
    expect(await heir).toBe(2)
    expect(await idempotentBy(count)({ orderId: 'A' }, context())).toBe(2)
  })
})

describe('a table that Powertools used', () => {
  const { clientConfig, tableName } = testDynamoDb()
  const client = new DynamoDBClient(clientConfig)
  afterAll(() => client.destroy())
  beforeAll(() => createTable(client, tableName('adopted')))

  const theirs = () =>
    new DynamoDBPersistenceLayer({ tableName: tableName('adopted'), awsSdkV3Client: client })
  const adopted = () =>
    createPersistenceLayer({
      store: createDynamoDbIdempotencyStore({ client, tableName: tableName('adopted') }),
      namespace: theirs().idempotencyKeyPrefix,
    })
  const by = (persistenceStore: BasePersistenceLayer, work = async () => ++runs) =>
    makeIdempotent((_: Order, __: Context) => work(), {
      persistenceStore,
      config: new IdempotencyConfig({ payloadValidationJmesPath: 'amount', eventKeyJmesPath: 'orderId' }),
    })

  it('is adopted with its results, and can be left again', async () => {
    expect(await by(theirs())({ orderId: 'A', amount: 5 }, context())).toBe(1)
    expect(await by(adopted())({ orderId: 'A', amount: 5 }, context())).toBe(1)
    await expectError(by(adopted())({ orderId: 'A', amount: 6 }, context()), IdempotencyConflictError)
    expect(await by(adopted())({ orderId: 'B', amount: 5 }, context())).toBe(2)
    expect(await by(theirs())({ orderId: 'B', amount: 5 }, context())).toBe(2)
  })

  it.each([
    ['theirs', theirs, adopted],
    ['ours', adopted, theirs],
  ])('is adopted with its locks: %s is honoured', async (_, owners, others) => {
    const order = { orderId: randomUUID(), amount: 5 }
    const rival = () => errorOf(by(others())(order, context()))
    const end = await by(owners(), async () => {
      expect(await rival()).toMatchObject({ name: 'ConcurrentExecutionError' })
      return 99
    })(order, context())
    expect(end).toBe(99)
    expect(await by(others())(order, context())).toBe(99)
  })
})
