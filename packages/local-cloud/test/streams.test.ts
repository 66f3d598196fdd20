import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import type { App } from '@stepwright/app'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp } from '../src/index.ts'
import { anyTask as task } from './app/tasks.ts'

let dataDirectory = ''
beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'stepwright streams '))
})
afterAll(() => rm(dataDirectory, { recursive: true }))

const stock = {
  TableName: 'counting-stock',
  AttributeDefinitions: [{ AttributeName: 'sku', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'sku', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
} as const

/** The app as it is at some time. */
function counting(TimeToLiveAttribute: string | undefined, isCalled: boolean): App {
  return {
    name: 'counting',
    root: new URL('./app/', import.meta.url),
    resources: { tables: { stock: { ...stock, TimeToLiveAttribute } } },
    functions: { Count: { module: 'triggered-handlers.ts', kind: 'call', export: 'collect', task } },
    triggers: isCalled ? { Stock: { stream: 'stock', calls: 'Count' } } : {},
  }
}

/** Runs the app, puts an item, and says what the function was called with, and what the table is like. */
async function run(app: App, sku: string, expected: readonly string[]) {
  await using running = await startApp(app, { dataDirectory })
  const seen: string[] = []
  running.intercept('Count', async (_call, event) => {
    const { Records } = event as { Records: readonly { dynamodb: { Keys: { sku: { S: string } } } }[] }
    seen.push(...Records.map(({ dynamodb }) => dynamodb.Keys.sku.S))
    return {}
  })
  const { endpoint, region, credentials } = running.services.dynamoDb
  const client = new DynamoDBClient({ endpoint, region, credentials })
  const { TableName } = stock
  await client.send(new PutItemCommand({ TableName, Item: { sku: { S: sku } } }))
  await expect.poll(() => seen).toEqual(expected)
  const { Table } = await client.send(new DescribeTableCommand({ TableName }))
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }))
  client.destroy()
  return [Table?.StreamSpecification?.StreamViewType, TimeToLiveDescription?.AttributeName]
}

it('a stream and a time to live follow the declaration from run to run, and no change comes twice', async () => {
  expect(await run(counting(undefined, false), 'before', [])).toEqual([undefined, undefined])
  expect(await run(counting('endsAt', true), 'first', ['first'])).toEqual(['NEW_AND_OLD_IMAGES', 'endsAt'])
  expect(await run(counting('goneAt', true), 'second', ['second'])).toEqual(['NEW_AND_OLD_IMAGES', 'goneAt'])
  expect(await run(counting(undefined, false), 'third', [])).toEqual([undefined, undefined])
}, 60_000)
