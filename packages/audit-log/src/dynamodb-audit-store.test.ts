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
import { createDynamoDbAuditStore, createDynamoDbSealStore } from './dynamodb.ts'
import { auditSealTable } from './dynamodb-table.ts'
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

testSealStore('createDynamoDbSealStore', async () => {
  const name = tableName(`seals-${tables++}`)
  await client.send(new CreateTableCommand(auditSealTable({ tableName: name })))
  return createDynamoDbSealStore({ client, tableName: name })
})

describe('createDynamoDbAuditStore', () => {
  it('gives away every attribute that was changed or removed in the table itself', async () => {
    const table = await createAuditTable(client, tableName('tampered'))
    const log = createAuditLog({
      store: createDynamoDbAuditStore({ client, tableName: table }),
      keys,
      ttlSeconds: 1e9,
    })
    await log.append(success(0))
    await log.append(success(1, { logType: 'SYSTEM_ERROR', error: 'e' }))
    await log.seal('run')
    expect(await log.verify('run')).toMatchObject({ ok: true })
    const { Items = [] } = await client.send(new ScanCommand({ TableName: table }))
    expect(Items).toHaveLength(3)
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
          await client.send(new PutItemCommand({ TableName: table, Item: tampered }))
          const result = await log.verify('run')
          expect(result, `${item['recordKey']?.S} ${name}`).toMatchObject({ ok: false })
        }
      }
      const { executionId, recordKey } = item as { executionId: { S: string }; recordKey: { S: string } }
      await client.send(new DeleteItemCommand({ TableName: table, Key: { executionId, recordKey } }))
      expect(await log.verify('run')).toMatchObject({ ok: false })
      const elsewhere = { ...item, executionId: { S: executionId.S.replace(/(#\d)?$/, '#7') } }
      if (recordKey.S !== 'seal' && elsewhere.executionId.S !== executionId.S) {
        await client.send(new PutItemCommand({ TableName: table, Item: elsewhere }))
        expect(await log.verify('run')).toMatchObject({ ok: false })
        const Key = { executionId: elsewhere.executionId, recordKey }
        await client.send(new DeleteItemCommand({ TableName: table, Key }))
      }
      await client.send(new PutItemCommand({ TableName: table, Item: item }))
    }
    expect(await log.verify('run')).toMatchObject({ ok: true })
  })

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

  it('waits longer and longer while it is throttled, then says so', async () => {
    await using faulty = await startFaulty()
    const log = createAuditLog({ store: faulty.store, keys })
    faulty.faults.inject({ kind: 'error', operation: 'ExecuteStatement', times: 3 })
    await log.append(success(0))
    expect(faulty.delays).toEqual([50, 100, 200])
    faulty.faults.inject({ kind: 'error', operation: 'ExecuteStatement', times: Number.POSITIVE_INFINITY })
    await expect(log.append(success(1))).rejects.toMatchObject({
      name: 'ThrottlingException',
      message: 'DynamoDB throttled 10 attempts in a row',
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
    const log = createAuditLog({ store, keys })
    await log.appendAll([success(0), success(1)])
    await log.seal('run')
    const writes = names.filter(name => !/^(Query|GetItem)Command$/.test(name))
    expect(new Set(writes)).toEqual(new Set(['ExecuteStatementCommand']))
  })

  it('refuses a name that is none of a table', () => {
    expect(() => createDynamoDbAuditStore({ client, tableName: 'a" VALUE' })).toThrow('tableName must be')
  })

  it('fails at once with what is no throttling', async () => {
    await using faulty = await startFaulty()
    faulty.faults.inject({ kind: 'error', operation: 'ExecuteStatement', error: 'InternalServerError' })
    const log = createAuditLog({ store: faulty.store, keys })
    await expect(log.append(success(0))).rejects.toMatchObject({ name: 'InternalServerError' })
    expect(faulty.delays).toEqual([])
  })
})
