import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { idempotencyTable } from '../dynamodb-table.ts'

/** A table as the documentation of Powertools has it. */
export async function createTable(
  client: DynamoDBClient,
  tableName: string,
  sortKey?: string,
): Promise<void> {
  const { AttributeDefinitions = [], KeySchema = [], ...table } = idempotencyTable({ tableName })
  const sorted = { AttributeName: sortKey }
  await client.send(
    new CreateTableCommand({
      ...table,
      AttributeDefinitions: [
        ...AttributeDefinitions,
        ...(sortKey ? [{ ...sorted, AttributeType: 'S' as const }] : []),
      ],
      KeySchema: [...KeySchema, ...(sortKey ? [{ ...sorted, KeyType: 'RANGE' as const }] : [])],
    }),
  )
}
