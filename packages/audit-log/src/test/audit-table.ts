import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { toAuditTable } from '../dynamodb.ts'

/** Makes an empty table and gives its name. */
export async function createAuditTable(client: DynamoDBClient, tableName: string): Promise<string> {
  await client.send(new CreateTableCommand(toAuditTable(tableName)))
  return tableName
}
