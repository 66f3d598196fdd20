import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  PutItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { chaosRounds } from '@stepwright/bench/chaos'
import { exitOf } from '@stepwright/local-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DynamoDb, startDynamoDb } from './dynamodb.ts'

const TableName = 'things'
let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'stepwright dynamodb kill '))
})
afterEach(() => rm(home, { recursive: true, force: true }))

type ClientConfig = Pick<DynamoDb, 'endpoint' | 'region' | 'credentials'>

function connect({ endpoint, region, credentials }: ClientConfig): DynamoDBClient {
  return new DynamoDBClient({ endpoint, region, credentials, maxAttempts: 1 })
}

async function serve(): Promise<{ server: ChildProcess; client: DynamoDBClient }> {
  const script = join(import.meta.dirname, '../test/serve-dynamodb.ts')
  const server = spawn(process.execPath, [script, home], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
  return { server, client: connect(JSON.parse((await lines.next()).value ?? '')) }
}

async function createTable(client: DynamoDBClient): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: ['id', 'version'].map(AttributeName => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-version',
          KeySchema: [{ AttributeName: 'version', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  )
}

/** The versions of things, as the table or one of its indexes has them. */
async function versions(client: DynamoDBClient, IndexName?: string): Promise<Record<string, number>> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName, ...(IndexName && { IndexName }) }))
  return Object.fromEntries(Items.map(({ id, version }) => [id?.S ?? '', Number(version?.S)]))
}

/** Replaces a few items over and over until the server dies; the versions it was told are stored. */
async function writeUntilKilled(client: DynamoDBClient, acknowledged: Map<string, number>): Promise<void> {
  const writer = async (id: string): Promise<void> => {
    for (let version = (acknowledged.get(id) ?? 0) + 1; ; version += 1) {
      const Item = { id: { S: id }, version: { S: String(version) } }
      await client.send(new PutItemCommand({ TableName, Item }))
      acknowledged.set(id, version)
    }
  }
  await Promise.allSettled(['a', 'b', 'c', 'd'].map(writer))
}

describe('a data directory', () => {
  it('keeps what was acknowledged, and its indexes, when the server is killed', { timeout: 0 }, async () => {
    const acknowledged = new Map<string, number>()
    for (let round = 1; round <= chaosRounds(2); round += 1) {
      const { server, client } = await serve()
      if (round === 1) await createTable(client)
      const before = acknowledged.get('a') ?? 0
      const writing = writeUntilKilled(client, acknowledged)
      await expect.poll(() => (acknowledged.get('a') ?? 0) - before).toBeGreaterThan(5 + (round % 7))
      server.kill('SIGKILL')
      await exitOf(server)
      await writing
      client.destroy()

      await using dynamoDb = await startDynamoDb({ dataDirectory: home })
      const again = connect(dynamoDb)
      const kept = await versions(again)
      for (const [id, version] of acknowledged) {
        // The next one may have been written and not acknowledged.
        expect([version, version + 1]).toContain(kept[id])
        acknowledged.set(id, kept[id] ?? 0)
      }
      expect(await versions(again, 'by-version')).toEqual(kept)
      again.destroy()
    }
  })

  it('has all of a transaction or nothing when the server is killed, and knows its token', {
    timeout: 0,
  }, async () => {
    const transaction = (writer: string, version: number): TransactWriteItemsCommand =>
      new TransactWriteItemsCommand({
        ClientRequestToken: `${writer}-${version}`,
        TransactItems: Array.from({ length: 20 }, (_, n) => ({
          Update: {
            TableName,
            Key: { id: { S: `${writer}-${n}` } },
            UpdateExpression: 'SET version = :version ADD hits :one',
            ExpressionAttributeValues: { ':version': { S: String(version) }, ':one': { N: '1' } },
          },
        })),
      })
    const acknowledged = new Map<string, number>()
    const write = async (client: DynamoDBClient, writer: string): Promise<void> => {
      for (let version = (acknowledged.get(writer) ?? 0) + 1; ; version += 1) {
        await client.send(transaction(writer, version))
        acknowledged.set(writer, version)
      }
    }
    for (let round = 1; round <= chaosRounds(2); round += 1) {
      const { server, client } = await serve()
      if (round === 1) await createTable(client)
      const before = acknowledged.get('a') ?? 0
      const writing = Promise.allSettled(['a', 'b', 'c'].map(writer => write(client, writer)))
      await expect.poll(() => (acknowledged.get('a') ?? 0) - before).toBeGreaterThan(3 + (round % 7))
      server.kill('SIGKILL')
      await exitOf(server)
      await writing
      client.destroy()

      await using dynamoDb = await startDynamoDb({ dataDirectory: home })
      const again = connect(dynamoDb)
      for (const [writer, version] of acknowledged) {
        // The answer may have been lost: the same request has an effect only if it had none.
        await again.send(transaction(writer, version + 1))
        acknowledged.set(writer, version + 1)
      }
      const { Items = [] } = await again.send(new ScanCommand({ TableName }))
      expect(Items).toHaveLength(acknowledged.size * 20)
      for (const { id, version, hits } of Items) {
        const wanted = String(acknowledged.get(id?.S?.split('-')[0] ?? ''))
        expect([version?.S, hits?.N]).toEqual([wanted, wanted])
      }
      expect(await versions(again, 'by-version')).toEqual(await versions(again))
      again.destroy()
    }
  })

  it('keeps tables over stop and start, and forgets those that were deleted', async () => {
    const item = { id: { S: 'a' }, version: { S: '1' } }
    await using first = await startDynamoDb({ dataDirectory: home })
    const client = connect(first)
    await createTable(client)
    await client.send(new PutItemCommand({ TableName, Item: item }))
    await first.stop()
    client.destroy()

    await using second = await startDynamoDb({ dataDirectory: home })
    const again = connect(second)
    expect(await versions(again)).toEqual({ a: 1 })
    await expect(createTable(again)).rejects.toMatchObject({ name: 'ResourceInUseException' })
    await again.send(new DeleteTableCommand({ TableName }))
    await second.stop()
    again.destroy()

    await using third = await startDynamoDb({ dataDirectory: home })
    const last = connect(third)
    expect((await last.send(new ListTablesCommand())).TableNames).toEqual([])
    await createTable(last)
    expect(await versions(last, 'by-version')).toEqual({})
    last.destroy()
  })

  it('belongs to one server at a time, and to its user', async () => {
    await using _ = await startDynamoDb({ dataDirectory: home })
    await expect(startDynamoDb({ dataDirectory: home })).rejects.toThrow(/are in use by another server$/)
    expect((await stat(join(home, 'tables'))).mode & 0o777).toBe(0o700)
  })
})
