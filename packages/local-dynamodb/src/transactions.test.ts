import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DynamoDb, startDynamoDb } from './dynamodb.ts'

let dynamoDb: DynamoDb
let client: DynamoDBClient
let time = 1_800_000_000_000

beforeEach(async () => {
  dynamoDb = await startDynamoDb({ now: () => time })
  const { endpoint, region, credentials } = dynamoDb
  client = new DynamoDBClient({ endpoint, region, credentials, maxAttempts: 1 })
  for (const TableName of ['things', 'others']) {
    await client.send(
      new CreateTableCommand({
        TableName,
        AttributeDefinitions: ['id', 'sort', 'owner', 'rank'].map(AttributeName => ({
          AttributeName,
          AttributeType: 'S',
        })),
        KeySchema: [
          { AttributeName: 'id', KeyType: 'HASH' },
          { AttributeName: 'sort', KeyType: 'RANGE' },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'by-owner',
            KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
        LocalSecondaryIndexes: [
          {
            IndexName: 'by-rank',
            KeySchema: [
              { AttributeName: 'id', KeyType: 'HASH' },
              { AttributeName: 'rank', KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    )
  }
})
afterEach(async () => {
  client.destroy()
  await dynamoDb.stop()
})

type Item = Record<string, AttributeValue>

function toKey(id: string): Item {
  return { id: { S: id }, sort: { S: '-' } }
}

function put(id: string, rest: Item = {}, TableName = 'things'): TransactWriteItem {
  return { Put: { TableName, Item: { ...toKey(id), ...rest } } }
}

function absent(id: string): TransactWriteItem {
  return {
    ConditionCheck: {
      TableName: 'things',
      Key: toKey(id),
      ConditionExpression: 'attribute_not_exists(id)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  }
}

function transact(
  TransactItems: TransactWriteItem[],
  rest: Partial<TransactWriteItemsCommandInput> = {},
): TransactWriteItemsCommand {
  return new TransactWriteItemsCommand({ TransactItems, ...rest })
}

async function find(id: string, TableName = 'things'): Promise<Item | undefined> {
  const get = new GetItemCommand({ TableName, Key: toKey(id), ConsistentRead: true })
  return (await client.send(get)).Item
}

describe('TransactWriteItems', () => {
  it('puts, updates, deletes and checks in several tables, with their indexes', async () => {
    await client.send(transact([put('old', { owner: { S: 'ann' } }), put('count', { n: { N: '1' } })]))
    await client.send(
      transact([
        put('new', { owner: { S: 'bob' } }, 'others'),
        { Delete: { TableName: 'things', Key: toKey('old'), ConditionExpression: 'attribute_exists(id)' } },
        {
          Update: {
            TableName: 'things',
            Key: toKey('count'),
            UpdateExpression: 'ADD n :one SET #o = :owner',
            ExpressionAttributeNames: { '#o': 'owner' },
            ExpressionAttributeValues: { ':one': { N: '1' }, ':owner': { S: 'cy' } },
          },
        },
        absent('nothing'),
      ]),
    )
    expect(await find('old')).toBeUndefined()
    expect(await find('count')).toEqual({ ...toKey('count'), n: { N: '2' }, owner: { S: 'cy' } })
    const owners = async (TableName: string) =>
      (await client.send(new ScanCommand({ TableName, IndexName: 'by-owner' }))).Items?.map(
        ({ owner }) => owner?.S,
      )
    expect([await owners('things'), await owners('others')]).toEqual([['cy'], ['bob']])
  })

  it('changes nothing if one condition fails, and gives a reason for each action by position', async () => {
    await client.send(transact([put('taken', { by: { S: 'first' } })]))
    const failed = await client
      .send(
        transact([
          put('a'),
          absent('taken'),
          put('b', {}, 'others'),
          {
            Update: {
              TableName: 'things',
              Key: toKey('c'),
              UpdateExpression: 'SET n = n + :one',
              ExpressionAttributeValues: { ':one': { N: '1' } },
            },
          },
          { Delete: { TableName: 'things', Key: { id: { S: 'd' } } } },
        ]),
      )
      .catch(error => error)
    expect(failed).toMatchObject({
      name: 'TransactionCanceledException',
      message:
        'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, None, ValidationError, ValidationError]',
      CancellationReasons: [
        { Code: 'None' },
        {
          Code: 'ConditionalCheckFailed',
          Message: 'The conditional request failed',
          Item: { ...toKey('taken'), by: { S: 'first' } },
        },
        { Code: 'None' },
        { Code: 'ValidationError' },
        { Code: 'ValidationError', Message: 'The provided key element does not match the schema' },
      ],
    })
    expect([await find('a'), await find('b', 'others'), await find('c')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it.each([
    ['no actions', [], 'Member must have length greater than or equal to 1'],
    ['101 actions', Array.from({ length: 101 }, (_, n) => put(`${n}`)), 'less than or equal to 100'],
    ['an item twice', [put('a'), absent('a')], 'multiple operations on one item'],
    ['two actions in one', [{ ...put('a'), ...absent('b') }], 'can only contain one of'],
    [
      'an invalid expression',
      [{ Delete: { TableName: 'things', Key: toKey('a'), ConditionExpression: 'a b c' } }],
      'Invalid ConditionExpression',
    ],
    [
      'more than 4 MB',
      Array.from({ length: 12 }, (_, n) => put(`${n}`, { text: { S: 'x'.repeat(380_000) } })),
      '4 MB',
    ],
  ] as [string, TransactWriteItem[], string][])('refuses %s', async (_, actions, message) => {
    await expect(client.send(transact(actions))).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining(message),
    })
  })

  it('refuses a table that does not exist', async () => {
    await expect(client.send(transact([put('a'), put('b', {}, 'none')]))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    })
    expect(await find('a')).toBeUndefined()
  })

  it('carries out a ClientRequestToken once in ten minutes', async () => {
    const add: TransactWriteItem = {
      Update: {
        TableName: 'things',
        Key: toKey('n'),
        UpdateExpression: 'ADD n :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      },
    }
    const once = { ClientRequestToken: 'token' }
    await client.send(transact([add], once))
    await client.send(transact([add], once))
    expect((await find('n'))?.['n']).toEqual({ N: '1' })
    await expect(client.send(transact([add, put('b')], once))).rejects.toMatchObject({
      name: 'IdempotentParameterMismatchException',
    })
    time += 10 * 60_000
    await client.send(transact([add], once))
    expect((await find('n'))?.['n']).toEqual({ N: '2' })
  })

  it('does not spend the token of a transaction that was cancelled', async () => {
    await client.send(transact([put('taken')]))
    const once = { ClientRequestToken: 'token' }
    const actions = [absent('taken'), put('b')]
    await expect(client.send(transact(actions, once))).rejects.toThrow('cancelled')
    await client.send(transact([{ Delete: { TableName: 'things', Key: toKey('taken') } }]))
    await client.send(transact(actions, once))
    expect(await find('b')).toBeDefined()
  })

  it('reports capacity and item collections', async () => {
    const { ConsumedCapacity, ItemCollectionMetrics } = await client.send(
      transact([put('a'), put('b')], {
        ReturnConsumedCapacity: 'TOTAL',
        ReturnItemCollectionMetrics: 'SIZE',
      }),
    )
    expect(ConsumedCapacity).toEqual([{ TableName: 'things', CapacityUnits: 4, WriteCapacityUnits: 4 }])
    expect(ItemCollectionMetrics).toEqual({
      things: ['a', 'b'].map(id => ({ ItemCollectionKey: { id: { S: id } }, SizeEstimateRangeGB: [0, 1] })),
    })
  })

  it('is isolated from other transactions and from single writes', async () => {
    const names = ['a', 'b', 'c', 'd']
    const total = 400
    await client.send(
      transact(names.map((id, n) => put(id, { n: { N: '100' } }, n < 2 ? 'things' : 'others'))),
    )
    const tableOf = (id: string): string => (id < 'c' ? 'things' : 'others')
    const add = (id: string, by: number) => ({
      TableName: tableOf(id),
      Key: toKey(id),
      UpdateExpression: 'ADD n :by',
      ExpressionAttributeValues: { ':by': { N: String(by) } },
    })
    const read = async (): Promise<number> => {
      const { Responses = [] } = await client.send(
        new TransactGetItemsCommand({
          TransactItems: names.map(id => ({ Get: { TableName: tableOf(id), Key: toKey(id) } })),
        }),
      )
      return Responses.reduce((sum, { Item }) => sum + Number(Item?.['n']?.N), 0)
    }
    const sums: number[] = []
    await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const [from = '', to = ''] = [names[n % 4], names[(n + 1 + (n % 3)) % 4]]
        await client.send(transact([{ Update: add(from, -1) }, { Update: add(to, 1) }]))
        if (n % 3 === 0) sums.push(await read())
      }),
    )
    expect(new Set(sums)).toEqual(new Set([total]))
    await Promise.all([
      ...names.map(id => client.send(new UpdateItemCommand(add(id, 1)))),
      ...names.map(id => client.send(transact([{ Update: add(id, 1) }]))),
    ])
    expect(await read()).toBe(total + 8)
  })

  it('is seen by PartiQL inserts and by queries', async () => {
    const insert = {
      Statement: `INSERT INTO "things" VALUE {'id': ?, 'sort': ?}`,
      Parameters: [{ S: 'a' }, { S: '-' }],
    }
    await client.send(transact([put('a', { rank: { S: '1' } })]))
    const { Responses } = await client.send(new BatchExecuteStatementCommand({ Statements: [insert] }))
    expect(Responses?.[0]?.Error?.Code).toBe('DuplicateItem')
    const { Count } = await client.send(
      new QueryCommand({
        TableName: 'things',
        IndexName: 'by-rank',
        KeyConditionExpression: 'id = :id',
        ExpressionAttributeValues: { ':id': { S: 'a' } },
      }),
    )
    expect(Count).toBe(1)
  })

  it('is hit by faults of its tables', async () => {
    const fault = dynamoDb.faults.inject({ kind: 'drop', when: 'after', table: 'others' })
    await client.send(transact([put('a')]))
    const once = { ClientRequestToken: 'lost answer' }
    await expect(client.send(transact([put('b', {}, 'others')], once))).rejects.toThrow()
    await client.send(transact([put('b', {}, 'others')], once))
    expect(fault.hits).toBe(1)
  })
})

describe('TransactGetItems', () => {
  it('reads items by position, with projections, and leaves out what is not there', async () => {
    await client.send(new PutItemCommand({ TableName: 'things', Item: { ...toKey('a'), n: { N: '1' } } }))
    const { Responses, ConsumedCapacity } = await client.send(
      new TransactGetItemsCommand({
        TransactItems: [
          { Get: { TableName: 'others', Key: toKey('a') } },
          { Get: { TableName: 'things', Key: toKey('a'), ProjectionExpression: 'n' } },
        ],
        ReturnConsumedCapacity: 'TOTAL',
      }),
    )
    expect(Responses).toEqual([{}, { Item: { n: { N: '1' } } }])
    expect(ConsumedCapacity).toEqual(
      ['others', 'things'].map(TableName => ({ TableName, CapacityUnits: 2, ReadCapacityUnits: 2 })),
    )
  })

  it('gives the reason for a key that does not match', async () => {
    const Key = { id: { S: 'a' } }
    await expect(
      client.send(new TransactGetItemsCommand({ TransactItems: [{ Get: { TableName: 'things', Key } }] })),
    ).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ValidationError' }],
    })
  })
})
