import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, expect, it } from 'vitest'
import { testDynamoDb } from './test-dynamodb.ts'

const { clientConfig, tableName } = testDynamoDb()
const client = new DynamoDBClient(clientConfig)
afterAll(() => client.destroy())

it('gives tables of its own to each caller', async () => {
  await client.send(
    new CreateTableCommand({
      TableName: tableName('things'),
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  )
  const { TableNames } = await client.send(new ListTablesCommand())
  expect(TableNames).toContain(tableName('things'))
  expect(testDynamoDb().tableName('things')).not.toBe(tableName('things'))
})
