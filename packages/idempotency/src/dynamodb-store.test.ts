import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import { startDynamoDb } from '@stepwright/local-dynamodb'
import { testDynamoDb } from '@stepwright/local-dynamodb/vitest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDynamoDbIdempotencyStore, type DynamoDbIdempotencyStoreOptions } from './dynamodb-store.ts'
import { runOnce } from './run-once.ts'
import { createTable } from './test/dynamodb-table.ts'
import { testIdempotencyStore } from './testing.ts'

const { clientConfig, tableName } = testDynamoDb()
const client = new DynamoDBClient(clientConfig)
afterAll(() => client.destroy())
beforeAll(async () => {
  await createTable(client, tableName('plain'))
  await createTable(client, tableName('sorted'), 'sk')
})

const layouts: [string, Omit<DynamoDbIdempotencyStoreOptions, 'client'>][] = [
  ['a plain table', { tableName: tableName('plain') }],
  ['no clock skew', { tableName: tableName('plain'), clockSkewMs: 0 }],
  [
    'a sort key',
    { tableName: tableName('sorted'), sortKey: { attribute: 'sk', partition: 'idempotency#orders' } },
  ],
  [
    'attributes of other names',
    {
      tableName: tableName('plain'),
      attributes: {
        status: 's',
        expiration: 'ttl',
        lockExpiration: 'lock',
        data: 'result',
        fingerprint: 'hash',
        owner: 'o',
      },
    },
  ],
]

describe.each(layouts)('createDynamoDbIdempotencyStore with %s', (_, options) => {
  testIdempotencyStore(() => {
    let time = 1_700_000_000_000
    const store = createDynamoDbIdempotencyStore({ client, now: () => time, ...options })
    return {
      store,
      graceMs: options.clockSkewMs ?? 10_000,
      advance(ms) {
        time += ms
      },
    }
  })
})

describe('createDynamoDbIdempotencyStore', () => {
  const now = () => 1_700_000_000_000
  const nowSeconds = 1_700_000_000
  const store = createDynamoDbIdempotencyStore({ client, tableName: tableName('plain'), now })
  const span = { lockMs: 30_000, ttlMs: 3_600_000 }
  const read = async (id: string) =>
    (await client.send(new GetItemCommand({ TableName: tableName('plain'), Key: { id: { S: id } } }))).Item

  it('keeps as text what would exceed an item in types of its own', async () => {
    const value = Array.from({ length: 65_000 }, () => [0])
    await store.acquire({ key: 'many', token: 't1', ...span })
    await store.complete({ key: 'many', token: 't1' }, { ok: true, value }, span.ttlMs)
    expect(await read('many')).toMatchObject({ encoding: { S: 'json' }, data: { S: JSON.stringify(value) } })
    expect(await store.find('many')).toMatchObject({ outcome: { ok: true, value } })
  })

  it('does not do the work again whose result exceeds an item', async () => {
    let runs = 0
    const call = () =>
      runOnce({ store, key: 'huge', maxResultBytes: 1_000_000, now, onTrouble() {} }, async () => {
        runs += 1
        return 'x'.repeat(500_000)
      })
    expect(await call()).toHaveLength(500_000)
    await expect(call()).rejects.toMatchObject({ name: 'PayloadTooLargeError' })
    expect(runs).toBe(1)
  })

  it('writes records as Powertools does, and the owner', async () => {
    await store.acquire({ key: 'a', token: 't1', ...span, fingerprint: 'f1' })
    expect(await read('a')).toEqual({
      id: { S: 'a' },
      status: { S: 'INPROGRESS' },
      expiration: { N: String(nowSeconds + 3610) },
      in_progress_expiration: { N: String(now() + 40_000) },
      validation: { S: 'f1' },
      owner: { S: 't1' },
    })
    await store.complete({ key: 'a', token: 't1' }, { ok: true, value: { total: 3, tags: ['x'] } }, 60_000)
    expect(await read('a')).toMatchObject({
      status: { S: 'COMPLETED' },
      expiration: { N: String(nowSeconds + 70) },
      data: { M: { total: { N: '3' }, tags: { L: [{ S: 'x' }] } } },
    })
  })

  it('does not let DynamoDB delete a lock that is longer than results are kept', async () => {
    await store.acquire({ key: 'long', token: 't1', lockMs: 900_000, ttlMs: 1_000 })
    expect(await read('long')).toMatchObject({ expiration: { N: String(nowSeconds + 910) } })
    await store.renew({ key: 'long', token: 't1' }, { lockMs: 1_800_000, ttlMs: 1_000 })
    expect(await read('long')).toMatchObject({ expiration: { N: String(nowSeconds + 1_810) } })
  })

  it('writes what DynamoDB has no type for as JSON, and the next result as usual', async () => {
    const lock = { key: 'b', token: 't1' }
    await store.acquire({ ...lock, ...span })
    await store.complete(lock, { ok: true, value: [1e300] }, 60_000)
    expect(await read('b')).toMatchObject({ data: { S: '[1e+300]' }, encoding: { S: 'json' } })
    await store.complete(lock, { ok: true, value: [1] }, 60_000)
    expect(await read('b')).not.toHaveProperty('encoding')
    expect(await store.find('b')).toMatchObject({ outcome: { ok: true, value: [1] } })
  })

  it('does not let Powertools take a stored failure for a result', async () => {
    const lock = { key: 'c', token: 't1' }
    await store.acquire({ ...lock, ...span })
    const failure = { name: 'OutOfStock', message: 'none left', httpStatus: 422 }
    await store.complete(lock, { ok: false, failure }, 60_000)
    expect(await read('c')).toMatchObject({ status: { S: 'FAILED' } })
  })

  it.each([
    ['a running lock', { in_progress_expiration: now() + 1 }, 'held'],
    ['an expired lock', { in_progress_expiration: now() - 1 }, 'acquired'],
    ['a lock of unknown end', { expiration: nowSeconds + 1 }, 'held'],
    ['a lock of unknown end that has expired', { expiration: nowSeconds - 1 }, 'acquired'],
    ['a result', { status: 'COMPLETED' }, 'settled'],
    ['a result that has expired', { status: 'COMPLETED', expiration: nowSeconds - 1 }, 'acquired'],
  ])('adopts %s that Powertools wrote', async (name, facts, state) => {
    const {
      status,
      expiration,
      in_progress_expiration: lockExpiration,
    } = {
      status: 'INPROGRESS',
      expiration: nowSeconds + 60,
      in_progress_expiration: undefined,
      ...facts,
    }
    const Item = {
      id: { S: name },
      status: { S: status },
      expiration: { N: String(expiration) },
      ...(lockExpiration && { in_progress_expiration: { N: String(lockExpiration) } }),
      ...(status === 'COMPLETED' && { data: { M: { total: { N: '3' } } } }),
    }
    await client.send(new PutItemCommand({ TableName: tableName('plain'), Item }))
    const answer = await store.acquire({ key: name, token: 't1', ...span })
    expect(answer.state).toBe(state)
    if (answer.state === 'settled') expect(answer.outcome).toEqual({ ok: true, value: { total: 3 } })
  })

  it('does without a second call where DynamoDB returns what stands in the way', async () => {
    const Item = { id: { S: 'd' }, status: { S: 'COMPLETED' }, expiration: { N: String(nowSeconds + 60) } }
    let calls = 0
    const modern = {
      async send() {
        calls += 1
        throw new ConditionalCheckFailedException({ message: '', $metadata: {}, Item })
      },
    }
    const answer = await createDynamoDbIdempotencyStore({ client: modern, tableName: 'any', now }).acquire({
      key: 'd',
      token: 't1',
      ...span,
    })
    expect(answer).toMatchObject({ state: 'settled', outcome: { ok: true } })
    expect(calls).toBe(1)
  })

  it('asks for what stands in the way where it is not shown', async () => {
    await store.acquire({ key: 'hidden', token: 't1', ...span })
    await store.complete({ key: 'hidden', token: 't1' }, { ok: true, value: 3 }, span.ttlMs)
    const old = {
      send: (command: PutItemCommand) =>
        client.send(command).catch(error => Promise.reject(Object.assign(error, { Item: undefined }))),
    }
    const answer = await createDynamoDbIdempotencyStore({
      client: old,
      tableName: tableName('plain'),
      now,
    }).acquire({ key: 'hidden', token: 't2', ...span })
    expect(answer).toMatchObject({ state: 'settled', outcome: { ok: true, value: 3 } })
  })

  it('has lost a lock whose record is gone, without a look at it', async () => {
    const calls: string[] = []
    const counted = {
      send(command: PutItemCommand) {
        calls.push(command.constructor.name)
        return client.send(command)
      },
    }
    const counting = createDynamoDbIdempotencyStore({ client: counted, tableName: tableName('plain'), now })
    expect(await counting.renew({ key: 'gone', token: 't1' }, span)).toBe(false)
    expect(calls).toEqual(['UpdateItemCommand'])
  })

  it('knows its own writes again when the answers got lost and the SDK repeats them', async () => {
    await using flaky = await startDynamoDb()
    const { endpoint, region, credentials, faults } = flaky
    const own = new DynamoDBClient({ endpoint, region, credentials })
    await createTable(own, 'locks')
    const flakyStore = createDynamoDbIdempotencyStore({ client: own, tableName: 'locks', now })
    const lock = { key: 'e', token: 't1' }
    faults.inject({ kind: 'drop', when: 'after', operation: 'PutItem' })
    expect(await flakyStore.acquire({ ...lock, ...span })).toEqual({ state: 'acquired' })
    faults.inject({ kind: 'drop', when: 'after', operation: 'UpdateItem' })
    expect(await flakyStore.renew(lock, span)).toBe(true)
    faults.inject({ kind: 'drop', when: 'after', operation: 'UpdateItem' })
    expect(await flakyStore.complete(lock, { ok: true, value: 1 }, 60_000)).toBe(true)
    own.destroy()
  })

  it('passes on what is wrong with the table', async () => {
    const nowhere = createDynamoDbIdempotencyStore({ client, tableName: tableName('missing') })
    await expect(nowhere.acquire({ key: 'f', token: 't1', ...span })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    })
  })
})
