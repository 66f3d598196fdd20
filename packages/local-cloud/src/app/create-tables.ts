import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { type App, hasStream, streamDefaults, type Table } from '@stepwright/app'
import type { DynamoDb } from '@stepwright/local-dynamodb'

/** Creates the tables that the app declares, or brings their streams and their time to live up to date. */
export async function createTables(
  { resources = {}, triggers }: App,
  { endpoint, region, credentials }: DynamoDb,
): Promise<void> {
  const tables: readonly (readonly [string, Table])[] = Object.entries(resources.tables ?? {})
  if (tables.length === 0) return
  const client = new DynamoDBClient({ endpoint, region, credentials })
  try {
    for (const [name, { TimeToLiveAttribute, ...table }] of tables) {
      await createTable(client, table)
      await setStream(client, table.TableName, hasStream(triggers, name))
      await setTimeToLive(client, table.TableName, TimeToLiveAttribute)
    }
  } finally {
    client.destroy()
  }
}

async function createTable(client: DynamoDBClient, table: Table): Promise<void> {
  try {
    await client.send(new CreateTableCommand(table as CreateTableCommandInput))
  } catch (error) {
    if ((error as Error).name !== 'ResourceInUseException') throw error
  }
}

async function setStream(
  client: DynamoDBClient,
  TableName: string | undefined,
  isWanted: boolean,
): Promise<void> {
  const { Table: found } = await client.send(new DescribeTableCommand({ TableName }))
  const viewType = found?.StreamSpecification?.StreamEnabled
    ? found.StreamSpecification.StreamViewType
    : undefined
  if (viewType === (isWanted ? streamDefaults.viewType : undefined)) return
  if (viewType !== undefined)
    await client.send(new UpdateTableCommand({ TableName, StreamSpecification: { StreamEnabled: false } }))
  if (!isWanted) return
  const StreamSpecification = { StreamEnabled: true, StreamViewType: streamDefaults.viewType }
  await client.send(new UpdateTableCommand({ TableName, StreamSpecification }))
}

async function setTimeToLive(
  client: DynamoDBClient,
  TableName: string | undefined,
  wanted: string | undefined,
): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }))
  const { TimeToLiveStatus, AttributeName } = TimeToLiveDescription ?? {}
  const current = TimeToLiveStatus === 'ENABLED' ? AttributeName : undefined
  if (current === wanted) return
  const set = (name: string, Enabled: boolean): Promise<unknown> =>
    client.send(
      new UpdateTimeToLiveCommand({
        TableName,
        TimeToLiveSpecification: { AttributeName: name, Enabled },
      }),
    )
  if (current !== undefined) await set(current, false)
  if (wanted !== undefined) await set(wanted, true)
}
