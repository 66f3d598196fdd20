import { DynamoDBClient, PutItemCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TableChanges } from '../src/protocol.ts'
import { type RunningConsole, startWithConsole } from './open-console.ts'
import { createSmallApp, type SmallApp } from './small-app.ts'

let small: SmallApp
let world: RunningConsole
let client: DynamoDBClient
beforeAll(async () => {
  small = createSmallApp()
  world = await startWithConsole(small.app)
  const { endpoint, region, credentials } = world.running.services.dynamoDb
  client = new DynamoDBClient({ endpoint, region, credentials })
})
afterAll(async () => {
  client?.destroy()
  await world?.[Symbol.asyncDispose]()
  small?.[Symbol.dispose]()
})

async function changes(table: string): Promise<Response> {
  const authorization = `Bearer ${new URL(world.console.url).searchParams.get('token')}`
  return fetch(`${world.console.endpoint}/api/table-changes?table=${table}`, { headers: { authorization } })
}

it('shows the latest changes of a table with a stream, and which attribute ends its items', async () => {
  const TableName = 'small-stock'
  const endsAt = { N: String(Math.floor(Date.now() / 1000) - 10) }
  const put = (left: number) =>
    client.send(
      new PutItemCommand({
        TableName,
        Item: { sku: { S: 'A1' }, left: { N: String(left) }, endsAt },
      }),
    )
  expect(await (await changes(TableName)).json()).toEqual({ timeToLive: 'endsAt', changes: [] })
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const
  await client.send(new UpdateTableCommand({ TableName, StreamSpecification }))
  for (let left = 1; left <= 120; left += 1) await put(left)
  const shown = (await (await changes(TableName)).json()) as TableChanges
  expect(shown.viewType).toBe('NEW_AND_OLD_IMAGES')
  expect(shown.changes).toHaveLength(100)
  expect(shown.changes[0]).toMatchObject({
    event: 'MODIFY',
    keys: { sku: 'A1' },
    before: { left: 119 },
    after: { left: 120 },
  })
  expect((await changes('other')).status).toBe(404)
})

it('says what time to live has deleted', async () => {
  await world.running.services.dynamoDb.deleteExpiredItems()
  const { changes: found } = (await (await changes('small-stock')).json()) as TableChanges
  expect(found[0]).toMatchObject({ event: 'REMOVE (time to live)', keys: { sku: 'A1' } })
})
