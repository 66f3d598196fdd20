import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** A table as the documentation of Powertools has it. */
export async function createTable(
  client: DynamoDBClient,
  TableName: string,
  sortKey?: string,
): Promise<void> {
  const names = ['id', ...(sortKey ? [sortKey] : [])]
  await client.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: names.map(AttributeName => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: names.map((AttributeName, index) => ({
        AttributeName,
        KeyType: index === 0 ? 'HASH' : 'RANGE',
      })),
      BillingMode: 'PAY_PER_REQUEST',
    }),
  )
}
