import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { App, Table } from '@stepwright/app'
import type { DynamoDb } from '@stepwright/local-dynamodb'

/** Creates the tables that the app declares and that are not there. */
export async function createTables(
  { resources = {} }: App,
  { endpoint, region, credentials }: DynamoDb,
): Promise<void> {
  const tables: readonly Table[] = Object.values(resources.tables ?? {})
  if (tables.length === 0) return
  const client = new DynamoDBClient({ endpoint, region, credentials })
  try {
    for (const { TimeToLiveAttribute: _, ...table } of tables) {
      try {
        await client.send(new CreateTableCommand(table as CreateTableCommandInput))
      } catch (error) {
        if ((error as Error).name !== 'ResourceInUseException') throw error
      }
    }
  } finally {
    client.destroy()
  }
}
