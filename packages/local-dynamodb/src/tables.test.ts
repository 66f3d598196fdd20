import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BatchExecuteStatementCommand,
  BatchWriteItemCommand,
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
  ListTagsOfResourceCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TagResourceCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
  type ShardIteratorType,
} from '@aws-sdk/client-dynamodb-streams'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DynamoDb, startDynamoDb } from './dynamodb.ts'

const TableName = 'things'
const startTime = Date.parse('2026-11-18T12:00:00Z')
let time = startTime
let home = ''
let dynamoDb: DynamoDb
let client: DynamoDBClient
let streams: DynamoDBStreamsClient

beforeEach(async () => {
  time = startTime
  home = await mkdtemp(join(tmpdir(), 'stepwright dynamodb tables '))
  await start()
})
afterEach(async () => {
  await stop()
  await rm(home, { recursive: true, force: true })
})

async function start(): Promise<void> {
  dynamoDb = await startDynamoDb({ dataDirectory: home, now: () => time })
  const { endpoint, region, credentials } = dynamoDb
  client = new DynamoDBClient({ endpoint, region, credentials, maxAttempts: 1 })
  streams = new DynamoDBStreamsClient({ endpoint, region, credentials, maxAttempts: 1 })
}

async function stop(): Promise<void> {
  client.destroy()
  streams.destroy()
  await dynamoDb.stop()
}

async function restart(): Promise<void> {
  await stop()
  await start()
}

function create(rest: Partial<CreateTableCommandInput> = {}): CreateTableCommand {
  return new CreateTableCommand({
    TableName,
    AttributeDefinitions: ['id', 'sort', 'rank'].map(AttributeName => ({
      AttributeName,
      AttributeType: 'S',
    })),
    KeySchema: [
      { AttributeName: 'id', KeyType: 'HASH' },
      { AttributeName: 'sort', KeyType: 'RANGE' },
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
    ...rest,
  })
}

function toKey(id: string) {
  return { id: { S: id }, sort: { S: '-' } }
}

function put(id: string, rest: Record<string, { S: string } | { N: string }> = {}): PutItemCommand {
  return new PutItemCommand({ TableName, Item: { ...toKey(id), ...rest } })
}

async function describeTable() {
  return (await client.send(new DescribeTableCommand({ TableName }))).Table
}

describe('deletion protection', () => {
  it('keeps a table until it is switched off, also after a restart', async () => {
    await client.send(create({ DeletionProtectionEnabled: true }))
    await restart()
    expect((await describeTable())?.DeletionProtectionEnabled).toBe(true)
    const remove = new DeleteTableCommand({ TableName })
    await expect(client.send(remove)).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining('protected against deletion'),
    })
    await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }))
    await client.send(remove)
    await client.send(create())
    expect((await describeTable())?.DeletionProtectionEnabled).toBe(false)
  })

  it('is not changed by a creation that fails', async () => {
    await client.send(create({ DeletionProtectionEnabled: true }))
    await expect(client.send(create())).rejects.toMatchObject({ name: 'ResourceInUseException' })
    expect((await describeTable())?.DeletionProtectionEnabled).toBe(true)
  })
})

describe('tags', () => {
  it('are there from the creation of the table', async () => {
    const Tags = [
      { Key: 'team', Value: 'a' },
      { Key: '部署', Value: 'b' },
    ]
    const { TableDescription } = await client.send(create({ Tags }))
    const ResourceArn = TableDescription?.TableArn ?? ''
    expect((await client.send(new ListTagsOfResourceCommand({ ResourceArn }))).Tags).toEqual(Tags)
    const many = Array.from({ length: 49 }, (_, n) => ({ Key: `k${n}`, Value: '' }))
    await expect(client.send(new TagResourceCommand({ ResourceArn, Tags: many }))).rejects.toThrow(
      'Too many tags',
    )
  })
})

describe('what is not supported', () => {
  it.each([
    ['SSESpecification', { SSESpecification: { Enabled: true } }],
    ['OnDemandThroughput', { OnDemandThroughput: { MaxReadRequestUnits: 1 } }],
    ['ResourcePolicy', { ResourcePolicy: '{}' }],
  ])('is refused by name: %s', async (name, fields) => {
    await expect(client.send(create(fields))).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining(`${name}`),
    })
  })

  it('is refused by name: an operation, and a new index of a table', async () => {
    await client.send(create())
    await expect(client.send(new DescribeContinuousBackupsCommand({ TableName }))).rejects.toThrow(
      'DescribeContinuousBackups is not supported',
    )
    const Delete = { IndexName: 'none' }
    await expect(
      client.send(new UpdateTableCommand({ TableName, GlobalSecondaryIndexUpdates: [{ Delete }] })),
    ).rejects.toThrow('Delete of GlobalSecondaryIndexUpdates is not supported')
  })

  it('is refused: a consistent Scan of a global index, as a Query is', async () => {
    await client.send(
      create({
        GlobalSecondaryIndexes: [
          {
            IndexName: 'all',
            KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
      }),
    )
    const consistent = { TableName, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' } as const
    await expect(client.send(new ScanCommand({ ...consistent, IndexName: 'all' }))).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'Consistent reads are not supported on global secondary indexes',
    })
    await client.send(new PutItemCommand({ TableName, Item: { ...toKey('a') } }))
    const { ConsumedCapacity } = await client.send(new ScanCommand(consistent))
    expect(ConsumedCapacity).toMatchObject({ CapacityUnits: 1 })
  })

  it.each<[string, object]>([
    ['ReturnValuesOnConditionCheckFailure', { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }],
    ['ConsistentRead', { ConsistentRead: true }],
  ])('is refused by name in a statement: %s', async (name, more) => {
    await client.send(create())
    const statement = { Statement: `INSERT INTO "${TableName}" VALUE {'id': 'x'}`, ...more }
    for (const command of [
      new ExecuteStatementCommand(statement),
      new BatchExecuteStatementCommand({ Statements: [statement] }),
    ]) {
      await expect(client.send(command as ExecuteStatementCommand)).rejects.toMatchObject({
        name: 'ValidationException',
        message: `${name} of a statement is not supported by local-dynamodb`,
      })
    }
  })

  it('is refused: a Select that contradicts the rest', async () => {
    await client.send(create())
    for (const [Select, ProjectionExpression] of [
      ['SPECIFIC_ATTRIBUTES', undefined],
      ['ALL_PROJECTED_ATTRIBUTES', undefined],
      ['COUNT', 'id'],
    ] as const) {
      const scan = new ScanCommand({
        TableName,
        Select,
        ...(ProjectionExpression && { ProjectionExpression }),
      })
      await expect(client.send(scan)).rejects.toMatchObject({ name: 'ValidationException' })
    }
  })
})

describe('ReturnItemCollectionMetrics', () => {
  it('names the item collection of a table with local secondary indexes', async () => {
    await client.send(create())
    const metrics = { ItemCollectionKey: { id: { S: 'a' } }, SizeEstimateRangeGB: [0, 1] }
    const one = await client.send(
      new PutItemCommand({ TableName, Item: toKey('a'), ReturnItemCollectionMetrics: 'SIZE' }),
    )
    expect(one.ItemCollectionMetrics).toEqual(metrics)
    const many = await client.send(
      new BatchWriteItemCommand({
        RequestItems: { [TableName]: [{ DeleteRequest: { Key: toKey('a') } }] },
        ReturnItemCollectionMetrics: 'SIZE',
      }),
    )
    expect(many.ItemCollectionMetrics).toEqual({ [TableName]: [metrics] })
  })
})

describe('time to live', () => {
  const enable = (Enabled: boolean, AttributeName = 'expires'): UpdateTimeToLiveCommand =>
    new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { AttributeName, Enabled } })

  it('is described, and refused twice', async () => {
    await client.send(create())
    const describe = new DescribeTimeToLiveCommand({ TableName })
    expect((await client.send(describe)).TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'DISABLED' })
    await client.send(enable(true))
    await restart()
    expect((await client.send(describe)).TimeToLiveDescription).toEqual({
      TimeToLiveStatus: 'ENABLED',
      AttributeName: 'expires',
    })
    await expect(client.send(enable(true))).rejects.toThrow('TimeToLive is already enabled')
    await expect(client.send(enable(true, 'other'))).rejects.toThrow('different AttributeName')
    await client.send(enable(false))
    await expect(client.send(enable(false))).rejects.toThrow('TimeToLive is already disabled')
  })

  it('deletes expired items and their index entries, and records who did it', async () => {
    await client.send(create({ StreamSpecification: { StreamEnabled: true, StreamViewType: 'OLD_IMAGE' } }))
    await client.send(enable(true))
    const seconds = time / 1000
    await client.send(put('soon', { expires: { N: String(seconds + 10) }, rank: { S: '1' } }))
    await client.send(put('later', { expires: { N: String(seconds + 100) } }))
    await client.send(put('text', { expires: { S: String(seconds - 10) } }))
    await client.send(put('ancient', { expires: { N: '1000' } }))
    expect(await dynamoDb.deleteExpiredItems()).toBe(0)
    time += 11_000
    expect(await dynamoDb.deleteExpiredItems()).toBe(1)
    const { Items } = await client.send(new ScanCommand({ TableName }))
    expect(Items?.map(({ id }) => id?.S).sort()).toEqual(['ancient', 'later', 'text'])
    const index = await client.send(
      new QueryCommand({
        TableName,
        IndexName: 'by-rank',
        KeyConditionExpression: 'id = :id',
        ExpressionAttributeValues: { ':id': { S: 'soon' } },
      }),
    )
    expect(index.Count).toBe(0)
    expect((await readAll()).at(-1)).toMatchObject({
      eventName: 'REMOVE',
      userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' },
      dynamodb: { Keys: toKey('soon'), OldImage: { rank: { S: '1' } } },
    })
  })
})

async function iterate(ShardIteratorType: ShardIteratorType, SequenceNumber?: string): Promise<string> {
  const StreamArn = (await describeTable())?.LatestStreamArn
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }))
  const ShardId = StreamDescription?.Shards?.[0]?.ShardId
  const { ShardIterator } = await streams.send(
    new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType, SequenceNumber }),
  )
  return ShardIterator ?? ''
}

async function readAll(ShardIterator?: string) {
  const from = ShardIterator ?? (await iterate('TRIM_HORIZON'))
  return (await streams.send(new GetRecordsCommand({ ShardIterator: from }))).Records ?? []
}

describe('streams', () => {
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const

  it('record every change of an item once, in order, and no write that changes nothing', async () => {
    await client.send(create({ StreamSpecification }))
    await client.send(put('a', { n: { N: '1' } }))
    await client.send(put('a', { n: { N: '1' } }))
    await client.send(
      new UpdateItemCommand({
        TableName,
        Key: toKey('a'),
        UpdateExpression: 'SET n = :n',
        ExpressionAttributeValues: { ':n': { N: '2' } },
      }),
    )
    await client.send(
      new BatchWriteItemCommand({
        RequestItems: {
          [TableName]: [{ DeleteRequest: { Key: toKey('a') } }, { DeleteRequest: { Key: toKey('none') } }],
        },
      }),
    )
    await client.send(
      new TransactWriteItemsCommand({
        TransactItems: ['b', 'c'].map(id => ({ Put: { TableName, Item: toKey(id) } })),
      }),
    )
    const records = await readAll()
    expect(records.map(({ eventName, dynamodb }) => [eventName, dynamodb?.Keys?.['id']?.S])).toEqual([
      ['INSERT', 'a'],
      ['MODIFY', 'a'],
      ['REMOVE', 'a'],
      ['INSERT', 'b'],
      ['INSERT', 'c'],
    ])
    expect(records[1]).toMatchObject({
      eventSource: 'aws:dynamodb',
      eventVersion: '1.1',
      awsRegion: 'us-east-1',
      dynamodb: {
        ApproximateCreationDateTime: new Date(time),
        Keys: toKey('a'),
        OldImage: { ...toKey('a'), n: { N: '1' } },
        NewImage: { ...toKey('a'), n: { N: '2' } },
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    })
    expect(new Set(records.map(({ eventID }) => eventID)).size).toBe(5)
    await restart()
    expect(await readAll()).toEqual(records)
  })

  it.each([
    ['KEYS_ONLY', []],
    ['NEW_IMAGE', ['NewImage']],
    ['OLD_IMAGE', ['OldImage']],
  ] as const)('have the images of %s', async (StreamViewType, images) => {
    await client.send(create({ StreamSpecification: { StreamEnabled: true, StreamViewType } }))
    await client.send(put('a', { n: { N: '1' } }))
    await client.send(put('a', { n: { N: '2' } }))
    const fields = Object.keys((await readAll())[1]?.dynamodb ?? {})
    expect(fields.filter(name => name.endsWith('Image'))).toEqual(images)
  })

  it('are read in pages, from the latest, and from a sequence number', async () => {
    await client.send(create({ StreamSpecification }))
    for (const id of ['a', 'b']) await client.send(put(id))
    const latest = await iterate('LATEST')
    await client.send(put('c'))
    const ids = (records: Awaited<ReturnType<typeof readAll>>) =>
      records.map(({ dynamodb }) => dynamodb?.Keys?.['id']?.S)
    const page = await streams.send(
      new GetRecordsCommand({ ShardIterator: await iterate('TRIM_HORIZON'), Limit: 2 }),
    )
    expect(ids(page.Records ?? [])).toEqual(['a', 'b'])
    expect(ids(await readAll(page.NextShardIterator))).toEqual(['c'])
    expect(ids(await readAll(latest))).toEqual(['c'])
    const second = page.Records?.[1]?.dynamodb?.SequenceNumber
    expect(ids(await readAll(await iterate('AT_SEQUENCE_NUMBER', second)))).toEqual(['b', 'c'])
    expect(ids(await readAll(await iterate('AFTER_SEQUENCE_NUMBER', second)))).toEqual(['c'])
    time += 16 * 60_000
    await expect(readAll(latest)).rejects.toMatchObject({ name: 'ExpiredIteratorException' })
  })

  it('are switched on and off, and stay readable when their table is gone', async () => {
    await client.send(create())
    await client.send(put('before'))
    await client.send(new UpdateTableCommand({ TableName, StreamSpecification }))
    const table = await describeTable()
    expect(table?.StreamSpecification).toEqual(StreamSpecification)
    expect(table?.LatestStreamArn).toBe(`${table?.TableArn}/stream/${table?.LatestStreamLabel}`)
    await client.send(put('a'))
    const iterator = await iterate('TRIM_HORIZON')
    await expect(client.send(new UpdateTableCommand({ TableName, StreamSpecification }))).rejects.toThrow(
      'already has an enabled stream',
    )
    await client.send(new DeleteTableCommand({ TableName }))
    await restart()
    const { Streams } = await streams.send(new ListStreamsCommand({ TableName }))
    expect(Streams?.map(({ StreamArn }) => StreamArn)).toEqual([table?.LatestStreamArn])
    const { Records, NextShardIterator } = await streams.send(
      new GetRecordsCommand({ ShardIterator: iterator }),
    )
    expect([Records?.length, NextShardIterator]).toEqual([1, undefined])
  })

  it('skip nothing while many write', async () => {
    await client.send(create({ StreamSpecification }))
    const writing = Promise.all(Array.from({ length: 100 }, (_, n) => client.send(put(`${n}`))))
    const seen: (string | undefined)[] = []
    let ShardIterator: string | undefined = await iterate('TRIM_HORIZON')
    const read = async (): Promise<number> => {
      const page = await streams.send(new GetRecordsCommand({ ShardIterator }))
      ShardIterator = page.NextShardIterator
      seen.push(...(page.Records ?? []).map(({ dynamodb }) => dynamodb?.SequenceNumber))
      return seen.length
    }
    await expect.poll(read).toBe(100)
    await writing
    expect(seen).toEqual([...new Set(seen)].sort())
  })
})
