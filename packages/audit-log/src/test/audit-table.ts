import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { auditTable } from '../dynamodb-table.ts'

/** Makes an empty table and gives its name. */
export async function createAuditTable(client: DynamoDBClient, tableName: string): Promise<string> {
  await client.send(new CreateTableCommand(auditTable({ tableName })))
  return tableName
}
