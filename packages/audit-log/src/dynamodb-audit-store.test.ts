import {
  type AttributeValue,
  CreateTableCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import { startDynamoDb } from '@stepwright/local-dynamodb'
import { testDynamoDb } from '@stepwright/local-dynamodb/vitest'
import { afterAll, describe, expect, it } from 'vitest'
import { createAuditLog } from './audit-log.ts'
import type { AuditStore } from './audit-store.ts'
import { auditSealTable, createDynamoDbAuditStore, createDynamoDbSealStore } from './dynamodb.ts'
import type { EntryRecord } from './records.ts'
import { createAuditTable } from './test/audit-table.ts'
import { keys, success } from './test/audit-trail.ts'
import { testAuditStore, testSealStore } from './testing.ts'

const { clientConfig, tableName } = testDynamoDb()
const client = new DynamoDBClient(clientConfig)
afterAll(() => client.destroy())

let tables = 0
testAuditStore('createDynamoDbAuditStore', async () =>
  createDynamoDbAuditStore({
    client,
    tableName: await createAuditTable(client, tableName(`audit-${tables++}`)),
  }),
)

function toOther(value: AttributeValue): AttributeValue {
  if (value.B) return { B: value.B.map(byte => byte ^ 1) }
  return value.N ? { N: `${value.N}1` } : { S: `${value.S}x` }
}

function entries(count: number): EntryRecord[] {
  return Array.from({ length: count }, (_, itemIndex) => ({
    executionId: 'run',
    entryKey: `${String(itemIndex).padStart(12, '0')}#000001#mac`,
    logType: 'SUCCESS',
    body: '{}',
  }))
}

async function count(store: AuditStore): Promise<number> {
  let found = 0
  for await (const _ of store.readEntries({ executionId: 'run' })) found += 1
  return found
}

testSealStore('createDynamoDbSealStore', async () => {
  const name = tableName(`seals-${tables++}`)
  await client.send(new CreateTableCommand(auditSealTable({ tableName: name })))
  return createDynamoDbSealStore({ client, tableName: name })
})

describe('createDynamoDbAuditStore', () => {
  it.each([
    ['single', 5],
    ['packed', 3],
  ] as const)(
    'gives away every attribute that was changed or removed in the table itself, %s',
    async (layout, count) => {
      const table = await createAuditTable(client, tableName(`tampered-${layout}`))
      const log = createAuditLog({
        store: createDynamoDbAuditStore({ client, tableName: table }),
        keys,
        layout,
        ttlSeconds: 1e9,
      })
      await log.append(success(0))
      await log.append(success(1, { logType: 'SYSTEM_ERROR', error: 'e' }))
      await log.seal('run')
      expect(await log.verify('run')).toMatchObject({ ok: true })
      const { Items = [] } = await client.send(new ScanCommand({ TableName: table }))
      expect(Items).toHaveLength(count)
      for (const item of Items) {
        for (const [name, value] of Object.entries(item)) {
          if (name === 'executionId' || name === 'recordKey') continue
          const { [name]: _, ...without } = item
          const texts = name === 'chains' ? ['null', '{}', '[null]', '[5]', '[[]]'] : []
          for (const tampered of [
            without,
            { ...item, [name]: toOther(value) },
            { ...item, [name]: { BOOL: true } },
            ...texts.map(S => ({ ...item, [name]: { S } })),
          ]) {
            // DynamoDB itself refuses other types for the key of an index.
            if (name === 'failedExecutionId' && 'BOOL' in (tampered[name] ?? {})) continue
            await client.send(new PutItemCommand({ TableName: table, Item: tampered }))
            const result = await log.verify('run')
            expect(result, `${item['recordKey']?.S} ${name}`).toMatchObject({ ok: false })
          }
        }
        const { executionId, recordKey } = item as { executionId: { S: string }; recordKey: { S: string } }
        await client.send(new DeleteItemCommand({ TableName: table, Key: { executionId, recordKey } }))
        expect(await log.verify('run')).toMatchObject({ ok: false })
        const elsewhere = { ...item, executionId: { S: executionId.S.replace(/(#\d)?$/, '#7') } }
        if (layout === 'packed' && recordKey.S !== 'seal' && elsewhere.executionId.S !== executionId.S) {
          await client.send(new PutItemCommand({ TableName: table, Item: elsewhere }))
          expect(await log.verify('run')).toMatchObject({ ok: false })
          const Key = { executionId: elsewhere.executionId, recordKey }
          await client.send(new DeleteItemCommand({ TableName: table, Key }))
        }
        await client.send(new PutItemCommand({ TableName: table, Item: item }))
      }
      expect(await log.verify('run')).toMatchObject({ ok: true })
    },
  )

  async function startFaulty() {
    const dynamoDb = await startDynamoDb()
    const own = new DynamoDBClient({ ...dynamoDb, maxAttempts: 1 })
    const delays: number[] = []
    const store = createDynamoDbAuditStore({
      client: own,
      tableName: await createAuditTable(own, 'audit'),
      sleep: async ms => void delays.push(ms),
      random: () => 1,
    })
    return {
      store,
      delays,
      faults: dynamoDb.faults,
      async [Symbol.asyncDispose]() {
        own.destroy()
        await dynamoDb.stop()
      },
    }
  }

  it('sends again what a batch hands back', async () => {
    await using faulty = await startFaulty()
    faulty.faults.inject({ kind: 'unprocessed', operation: 'BatchExecuteStatement', processed: 10, times: 4 })
    await faulty.store.putEntries(entries(60))
    expect(await count(faulty.store)).toBe(60)
    faulty.faults.inject({ kind: 'unprocessed', operation: 'BatchGetItem', processed: 7, times: 3 })
    const keys = entries(60).map(entry => entry.entryKey)
    expect(await faulty.store.getEntries('run', keys)).toHaveLength(60)
  })

  it('waits longer and longer while nothing gets through, then says so', async () => {
    await using faulty = await startFaulty()
    faulty.faults.inject({ kind: 'error', operation: 'BatchExecuteStatement', times: 3 })
    await faulty.store.putEntries(entries(5))
    expect(faulty.delays).toEqual([50, 100, 200])
    expect(await count(faulty.store)).toBe(5)
    faulty.faults.inject({ kind: 'unprocessed', processed: 0, times: Number.POSITIVE_INFINITY })
    await expect(faulty.store.putEntries(entries(5))).rejects.toMatchObject({
      name: 'ThrottlingException',
      message: 'DynamoDB took none of 5 items in 10 attempts',
    })
  })

  it('writes with nothing but inserts, which never replace an item', async () => {
    const table = await createAuditTable(client, tableName('inserts'))
    const names: string[] = []
    const recording = {
      send: (command: never) => {
        names.push((command as object).constructor.name)
        return client.send(command)
      },
    }
    const store = createDynamoDbAuditStore({ client: recording as never, tableName: table })
    await createAuditLog({ store, keys, layout: 'single' }).appendAll([success(0), success(1)])
    await createAuditLog({ store, keys }).appendAll([success(0), success(1)])
    await store.putEntries([{ ...(entries(1)[0] as EntryRecord), body: 'first' }])
    await store.putEntries([{ ...(entries(1)[0] as EntryRecord), body: 'second' }, ...entries(2)])
    expect((await store.getEntries('run', ['000000000000#000001#mac']))[0]?.body).toBe('first')
    expect(await count(store)).toBe(4)
    const writes = names.filter(name => !/^(Query|GetItem|BatchGetItem)Command$/.test(name))
    expect(new Set(writes)).toEqual(new Set(['BatchExecuteStatementCommand', 'ExecuteStatementCommand']))
  })

  it('refuses a name that is none of a table', () => {
    expect(() => createDynamoDbAuditStore({ client, tableName: 'a" VALUE' })).toThrow('tableName must be')
  })

  it('says what DynamoDB refuses for good', async () => {
    const store = createDynamoDbAuditStore({ client, tableName: 'no-such-table' })
    await expect(store.putEntries(entries(1))).rejects.toMatchObject({
      message: 'reported as ResourceNotFound',
    })
  })

  it('fails at once with what is no throttling', async () => {
    await using faulty = await startFaulty()
    faulty.faults.inject({ kind: 'error', operation: 'BatchExecuteStatement', error: 'InternalServerError' })
    await expect(faulty.store.putEntries(entries(5))).rejects.toMatchObject({ name: 'InternalServerError' })
    expect(faulty.delays).toEqual([])
  })
})
