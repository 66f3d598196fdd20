import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DynamoDb, startDynamoDb } from './dynamodb.ts'

let dynamoDb: DynamoDb
let client: DynamoDBClient
let onDisk = false
let home = ''

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'stepwright dynamodb test '))
  dynamoDb = await startDynamoDb(onDisk ? { dataDirectory: home } : {})
  client = connect(1)
  await createTable('things')
})
afterEach(async () => {
  client.destroy()
  await dynamoDb.stop()
  await rm(home, { recursive: true, force: true })
})

function connect(maxAttempts: number): DynamoDBClient {
  const { endpoint, region, credentials } = dynamoDb
  return new DynamoDBClient({ endpoint, region, credentials, maxAttempts })
}

async function createTable(TableName: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  )
}

function put(id: string, TableName = 'things'): PutItemCommand {
  return new PutItemCommand({ TableName, Item: { id: { S: id } } })
}

function putOnce(id: string): PutItemCommand {
  return new PutItemCommand({
    TableName: 'things',
    Item: { id: { S: id } },
    ConditionExpression: 'attribute_not_exists(id)',
  })
}

async function has(id: string): Promise<boolean> {
  const { Item } = await client.send(new GetItemCommand({ TableName: 'things', Key: { id: { S: id } } }))
  return Item !== undefined
}

function batch(ids: string[]): BatchWriteItemCommand {
  return new BatchWriteItemCommand({
    RequestItems: { things: ids.map(id => ({ PutRequest: { Item: { id: { S: id } } } })) },
  })
}

describe.each(['memory', 'disk'])('startDynamoDb, with tables in %s', place => {
  beforeAll(() => {
    onDisk = place === 'disk'
  })

  it('has tables ready when they are created and gone when they are deleted', async () => {
    const waited = await waitUntilTableExists({ client, maxWaitTime: 30 }, { TableName: 'things' })
    expect(waited.state).toBe('SUCCESS')
    await client.send(new DeleteTableCommand({ TableName: 'things' }))
    await expect(client.send(new DescribeTableCommand({ TableName: 'things' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    })
  })

  it('lets no page of another origin in, and invites none', async () => {
    const ask = (origin: string, method: string) =>
      fetch(dynamoDb.endpoint, {
        method,
        headers: { origin, 'x-amz-target': 'DynamoDB_20120810.ListTables' },
      })
    for (const method of ['OPTIONS', 'POST']) {
      expect((await ask('https://evil.example', method)).status).toBe(403)
      const { headers } = await ask('http://localhost:3000', method)
      expect([...headers.keys()].filter(name => name.startsWith('access-control-'))).toEqual([])
    }
  })

  it('keeps tables in CREATING for as long as asked', async () => {
    await using slow = await startDynamoDb({ tableDelayMs: 60_000 })
    const { endpoint, region, credentials } = slow
    const slowClient = new DynamoDBClient({ endpoint, region, credentials })
    await slowClient.send(
      new CreateTableCommand({
        TableName: 'slow',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    )
    const { Table } = await slowClient.send(new DescribeTableCommand({ TableName: 'slow' }))
    expect(Table?.TableStatus).toBe('CREATING')
    slowClient.destroy()
  })

  it('accepts one of many conditional writes at the same time', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => client.send(putOnce('one'))))
    expect(results.filter(result => result.status === 'fulfilled')).toHaveLength(1)
    const refused = results.filter(result => result.status === 'rejected')
    expect(new Set(refused.map(result => result.reason.name))).toEqual(
      new Set(['ConditionalCheckFailedException']),
    )
  })

  it('shows the item that a condition did not hold for, to whom asks for it', async () => {
    const Item = { id: { S: 'one' }, by: { S: 'first' } }
    await client.send(new PutItemCommand({ TableName: 'things', Item }))
    const Key = { id: { S: 'one' } }
    const condition = { TableName: 'things', ConditionExpression: 'attribute_not_exists(id)' }
    const shown = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }
    const set = {
      UpdateExpression: 'SET #by = :by',
      ExpressionAttributeNames: { '#by': 'by' },
      ExpressionAttributeValues: { ':by': { S: 'x' } },
    }
    const name = 'ConditionalCheckFailedException'
    const put = { ...condition, Item: { ...Key, by: { S: 'second' } } }
    await expect(client.send(new PutItemCommand({ ...put, ...shown }))).rejects.toMatchObject({ name, Item })
    await expect(
      client.send(new UpdateItemCommand({ ...condition, Key, ...set, ...shown })),
    ).rejects.toMatchObject({ name, Item })
    await expect(client.send(new DeleteItemCommand({ ...condition, Key, ...shown }))).rejects.toMatchObject({
      name,
      Item,
    })
    const unasked = await client.send(new PutItemCommand(put)).catch(error => error)
    expect([unasked.name, unasked.Item]).toEqual([name, undefined])
    const absent = {
      TableName: 'things',
      Key: { id: { S: 'two' } },
      ConditionExpression: 'attribute_exists(id)',
    }
    const nothing = await client.send(new DeleteItemCommand({ ...absent, ...shown })).catch(error => error)
    expect([nothing.name, nothing.Item]).toEqual([name, undefined])
  })

  it('inserts by PartiQL what has a free key, and nothing else', async () => {
    const insert = (id: string): { Statement: string; Parameters: { S: string }[] } => ({
      Statement: `INSERT INTO "things" VALUE {'id': ?, 'by': ?}`,
      Parameters: [{ S: id }, { S: 'insert' }],
    })
    await client.send(put('taken'))
    const Statements = ['a', 'taken', 'b', 'b'].map(insert)
    const { Responses } = await client.send(new BatchExecuteStatementCommand({ Statements }))
    expect(Responses?.map(response => response.Error?.Code)).toEqual([
      undefined,
      'DuplicateItem',
      undefined,
      'DuplicateItem',
    ])
    expect(await has('b')).toBe(true)
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => client.send(new ExecuteStatementCommand(insert('c')))),
    )
    expect(results.filter(result => result.status === 'fulfilled')).toHaveLength(1)
    await expect(client.send(new ExecuteStatementCommand(insert('c')))).rejects.toMatchObject({
      name: 'DuplicateItemException',
    })
    for (const [Statement, name] of [
      ['SELECT * FROM "things"', 'ValidationException'],
      [`INSERT INTO "none" VALUE {'id': ?}`, 'ResourceNotFoundException'],
      [`INSERT INTO "things" VALUE {'other': ?}`, 'ValidationException'],
    ]) {
      const statement = new ExecuteStatementCommand({ Statement, Parameters: [{ S: 'x' }] })
      await expect(client.send(statement)).rejects.toMatchObject({ name })
    }
  })

  it('inserts no number as a key that is there, however it is written', async () => {
    const TableName = 'numbers'
    await client.send(
      new CreateTableCommand({
        TableName,
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    )
    const insert = (N: string) => ({
      Statement: `INSERT INTO "${TableName}" VALUE {'id': ?, 'as': ?}`,
      Parameters: [{ N }, { S: N }],
    })
    const forms = ['120', '1.2e2', '+0120.00', '-120', '0', '-0.0', '1200E-1', '12', '0.012', '1.2E-2']
    const { Responses } = await client.send(
      new BatchExecuteStatementCommand({ Statements: forms.map(insert) }),
    )
    const added = forms.filter((_, at) => Responses?.[at]?.Error === undefined)
    expect(added).toEqual(['120', '-120', '0', '12', '0.012'])
    for (const form of forms) {
      await expect(client.send(new ExecuteStatementCommand(insert(form)))).rejects.toMatchObject({
        name: 'DuplicateItemException',
      })
    }
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: { id: { N: '120.0' } } }))
    expect(Item?.['as']).toEqual({ S: '120' })
  })

  it('counts atomically', async () => {
    const increments = Array.from({ length: 50 }, () =>
      client.send(
        new UpdateItemCommand({
          TableName: 'things',
          Key: { id: { S: 'counter' } },
          UpdateExpression: 'ADD hits :one',
          ExpressionAttributeValues: { ':one': { N: '1' } },
          ReturnValues: 'UPDATED_NEW',
        }),
      ),
    )
    const seen = (await Promise.all(increments)).map(({ Attributes }) => Number(Attributes?.['hits']?.N))
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  })

  it('queries by sort key with paging', async () => {
    await client.send(
      new CreateTableCommand({
        TableName: 'log',
        AttributeDefinitions: [
          { AttributeName: 'stream', AttributeType: 'S' },
          { AttributeName: 'at', AttributeType: 'N' },
        ],
        KeySchema: [
          { AttributeName: 'stream', KeyType: 'HASH' },
          { AttributeName: 'at', KeyType: 'RANGE' },
        ],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    )
    for (const at of [10, 9, 100, 1])
      await client.send(
        new PutItemCommand({ TableName: 'log', Item: { stream: { S: 'a' }, at: { N: String(at) } } }),
      )
    const query = {
      TableName: 'log',
      KeyConditionExpression: '#s = :s',
      ExpressionAttributeNames: { '#s': 'stream' },
      ExpressionAttributeValues: { ':s': { S: 'a' } },
      Limit: 3,
    }
    const first = await client.send(new QueryCommand(query))
    expect(first.Items?.map(item => item['at']?.N)).toEqual(['1', '9', '10'])
    const rest = await client.send(
      new QueryCommand({ ...query, ExclusiveStartKey: first.LastEvaluatedKey ?? {} }),
    )
    expect(rest.Items?.map(item => item['at']?.N)).toEqual(['100'])
  })

  it('survives a client that leaves in the middle of a request', async () => {
    const leaving = new AbortController()
    const big = new PutItemCommand({
      TableName: 'things',
      Item: { id: { S: 'big' }, text: { S: 'x'.repeat(390_000) } },
    })
    const sent = client.send(big, { abortSignal: leaving.signal })
    setImmediate(() => leaving.abort())
    await sent.catch(() => {})
    await client.send(put('after'))
    expect(await has('after')).toBe(true)
  })

  it('refuses a request above 16 MB with an answer', async () => {
    const headers = { 'x-amz-target': 'DynamoDB_20120810.PutItem' }
    const body = Buffer.alloc(17 * 1024 ** 2, ' ')
    const response = await fetch(dynamoDb.endpoint, { method: 'POST', headers, body })
    expect(response.status).toBe(413)
  })

  it('refuses connections after stop', async () => {
    await dynamoDb.stop()
    await dynamoDb.stop()
    const newcomer = connect(1)
    await expect(newcomer.send(put('late'))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    newcomer.destroy()
  })
})

describe('faults', () => {
  it('throttles as often as asked, then lets calls pass', async () => {
    const fault = dynamoDb.faults.inject({ kind: 'error', operation: 'PutItem', times: 2 })
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(client.send(put('a'))).rejects.toMatchObject({
        name: 'ProvisionedThroughputExceededException',
        $metadata: { httpStatusCode: 400 },
      })
    expect(await has('a')).toBe(false)
    await client.send(put('a'))
    expect(await has('a')).toBe(true)
    expect(fault.hits).toBe(2)
  })

  it.each([
    ['ThrottlingException', 400],
    ['RequestLimitExceeded', 400],
    ['InternalServerError', 500],
    ['ServiceUnavailable', 503],
  ] as const)('answers %s with status %i, which the SDK retries', async (error, status) => {
    dynamoDb.faults.inject({ kind: 'error', error })
    await expect(client.send(put('a'))).rejects.toMatchObject({
      name: error,
      $metadata: { httpStatusCode: status },
    })
    const patient = connect(2)
    dynamoDb.faults.inject({ kind: 'error', error })
    await patient.send(put('b'))
    expect(await has('b')).toBe(true)
    patient.destroy()
  })

  it('writes part of a batch and hands back the rest', async () => {
    dynamoDb.faults.inject({ kind: 'unprocessed', processed: 2 })
    const { UnprocessedItems } = await client.send(batch(['a', 'b', 'c', 'd', 'e']))
    expect(UnprocessedItems?.['things']?.map(({ PutRequest }) => PutRequest?.Item?.['id']?.S)).toEqual([
      'c',
      'd',
      'e',
    ])
    expect([await has('a'), await has('b'), await has('c')]).toEqual([true, true, false])
    expect((await client.send(batch(['c']))).UnprocessedItems).toEqual({})
  })

  it('splits a batch over several tables', async () => {
    await createTable('others')
    dynamoDb.faults.inject({ kind: 'unprocessed', processed: 3 })
    const request = (id: string) => ({ PutRequest: { Item: { id: { S: id } } } })
    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({
        RequestItems: { things: [request('a'), request('b')], others: [request('c'), request('d')] },
      }),
    )
    expect(UnprocessedItems).toEqual({ others: [request('d')] })
  })

  it('hands back a whole batch', async () => {
    dynamoDb.faults.inject({ kind: 'unprocessed', processed: 0 })
    const { UnprocessedItems } = await client.send(batch(['a', 'b']))
    expect(UnprocessedItems?.['things']).toHaveLength(2)
    expect(await has('a')).toBe(false)
  })

  it('reads part of a batch, keeping its projection for the rest', async () => {
    await client.send(batch(['a', 'b', 'c', 'd']))
    dynamoDb.faults.inject({ kind: 'unprocessed' })
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({
        RequestItems: {
          things: { Keys: ['a', 'b', 'c', 'd'].map(id => ({ id: { S: id } })), ProjectionExpression: 'id' },
        },
      }),
    )
    expect(Responses?.['things']).toHaveLength(2)
    expect(UnprocessedKeys?.['things']).toMatchObject({
      Keys: [{ id: { S: 'c' } }, { id: { S: 'd' } }],
      ProjectionExpression: 'id',
    })
  })

  it('drops a connection before the call takes effect', async () => {
    dynamoDb.faults.inject({ kind: 'drop' })
    await expect(client.send(putOnce('a'))).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(await has('a')).toBe(false)
  })

  it('drops a connection after the call took effect', async () => {
    dynamoDb.faults.inject({ kind: 'drop', when: 'after' })
    await expect(client.send(putOnce('a'))).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(await has('a')).toBe(true)
  })

  it('holds a call back and combines that with other faults', async () => {
    const slept: number[] = []
    await using slow = await startDynamoDb({
      sleep: async delayMs => {
        slept.push(delayMs)
      },
    })
    slow.faults.inject({ kind: 'latency', delayMs: 700 })
    slow.faults.inject({ kind: 'error' })
    const { endpoint, region, credentials } = slow
    const slowClient = new DynamoDBClient({ endpoint, region, credentials, maxAttempts: 1 })
    await expect(slowClient.send(new ListTablesCommand())).rejects.toThrow('throughput')
    expect(slept).toEqual([700])
    slowClient.destroy()
  })

  it('does not keep a stopping server waiting for its latency', async () => {
    const held = dynamoDb.faults.inject({ kind: 'latency', delayMs: 3_600_000 })
    const failed = expect(client.send(put('a'))).rejects.toMatchObject({ code: 'ECONNRESET' })
    await expect.poll(() => held.hits).toBe(1)
    await dynamoDb.stop()
    await failed
  })

  it('hits only the table and operation it is for, after those it skips', async () => {
    await createTable('others')
    const fault = dynamoDb.faults.inject({ kind: 'error', table: 'things', operation: 'PutItem', skip: 1 })
    await client.send(put('a', 'others'))
    await has('a')
    await client.send(put('a'))
    await expect(client.send(put('b'))).rejects.toThrow('throughput')
    expect(fault.hits).toBe(1)
  })

  it('hits statements by the table that they are about', async () => {
    await createTable('others')
    const fault = dynamoDb.faults.inject({ kind: 'error', table: 'things', times: Infinity })
    const insert = (table: string) => ({
      Statement: `INSERT INTO "${table}" VALUE {'id': ?}`,
      Parameters: [{ S: 'a' }],
    })
    await client.send(new ExecuteStatementCommand(insert('others')))
    await expect(client.send(new ExecuteStatementCommand(insert('things')))).rejects.toThrow('throughput')
    const Statements = [insert('others'), insert('things')]
    await expect(client.send(new BatchExecuteStatementCommand({ Statements }))).rejects.toThrow('throughput')
    expect(fault.hits).toBe(2)
  })

  it('are gone when removed or cleared', async () => {
    const fault = dynamoDb.faults.inject({ kind: 'error', times: Infinity })
    fault.remove()
    await client.send(put('a'))
    dynamoDb.faults.inject({ kind: 'drop', times: Infinity })
    dynamoDb.faults.clear()
    await client.send(put('b'))
    expect(fault.hits).toBe(0)
  })
})

describe('refusalOf', () => {
  it('refuses by who asks for what, in the words it gives', async () => {
    await using guarded = await startDynamoDb({
      refusalOf: ({ accessKeyId, operation, input }) =>
        accessKeyId === 'CALLER' && operation === 'GetItem' ? `not on ${input['TableName']}` : undefined,
    })
    const { endpoint, region } = guarded
    const credentials = { accessKeyId: 'CALLER', secretAccessKey: 'x' }
    const caller = new DynamoDBClient({ endpoint, region, credentials, maxAttempts: 1 })
    await expect(caller.send(new ListTablesCommand({}))).resolves.toBeTruthy()
    await expect(
      caller.send(new GetItemCommand({ TableName: 'things', Key: { id: { S: 'a' } } })),
    ).rejects.toMatchObject({ name: 'AccessDeniedException', message: 'not on things' })
    caller.destroy()
  })
})
