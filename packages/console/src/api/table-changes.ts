import {
  type AttributeValue,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { callJsonService } from '@stepwright/local-server'
import type { TableChange, TableChanges } from '../protocol.ts'
import type { ApiRoutes } from './context.ts'
import { knownTable, plain } from './tables.ts'

const maxChanges = 100
/** A stream is read from its beginning, so many records at once and so often at most. */
const pageSize = 1000
const maxPages = 50

export const tableChangesRoutes: ApiRoutes = {
  /** The latest changes of a table's stream, and when its items end. */
  'GET /api/table-changes': async ({ query }, { dynamoDb, running }): Promise<TableChanges> => {
    const TableName = knownTable(query, running)
    const { Table } = await dynamoDb.send(new DescribeTableCommand({ TableName }))
    const { TimeToLiveDescription } = await dynamoDb.send(new DescribeTimeToLiveCommand({ TableName }))
    const { StreamEnabled, StreamViewType } = Table?.StreamSpecification ?? {}
    return {
      timeToLive: TimeToLiveDescription?.AttributeName,
      viewType: StreamEnabled ? StreamViewType : undefined,
      changes:
        Table?.LatestStreamArn === undefined
          ? []
          : await readChanges(running.services.dynamoDb.endpoint, Table.LatestStreamArn),
    }
  },
}

type Item = Readonly<Record<string, AttributeValue>>

/** As the wire protocol has it. */
interface StreamRecord {
  readonly eventName: string
  readonly userIdentity?: { readonly PrincipalId: string }
  readonly dynamodb: {
    readonly ApproximateCreationDateTime: number
    readonly Keys: Item
    readonly OldImage?: Item
    readonly NewImage?: Item
  }
}

/** The latest first. */
async function readChanges(endpoint: string, StreamArn: string): Promise<readonly TableChange[]> {
  const call = async <Answer>(operation: string, input: object): Promise<Answer> => {
    const target = `DynamoDBStreams_20120810.${operation}`
    return (await callJsonService({ endpoint, target, version: '1.0', input })) as Answer
  }
  const { StreamDescription } = await call<{ StreamDescription: { Shards: readonly { ShardId: string }[] } }>(
    'DescribeStream',
    { StreamArn },
  )
  const ShardId = StreamDescription.Shards[0]?.ShardId
  const start = await call<{ ShardIterator: string }>('GetShardIterator', {
    StreamArn,
    ShardId,
    ShardIteratorType: 'TRIM_HORIZON',
  })
  let latest: readonly StreamRecord[] = []
  let next: string | undefined = start.ShardIterator
  for (let page = 0; next !== undefined && page < maxPages; page += 1) {
    const read: { readonly Records: readonly StreamRecord[]; readonly NextShardIterator?: string } =
      await call('GetRecords', { ShardIterator: next, Limit: pageSize })
    if (read.Records.length === 0) break
    latest = [...latest, ...read.Records].slice(-maxChanges)
    next = read.NextShardIterator
  }
  return latest.map(toChange).reverse()
}

function toChange({ eventName, userIdentity, dynamodb }: StreamRecord): TableChange {
  const { ApproximateCreationDateTime, Keys, OldImage, NewImage } = dynamodb
  return {
    atMs: ApproximateCreationDateTime * 1000,
    event: userIdentity === undefined ? eventName : `${eventName} (time to live)`,
    keys: plainItem(Keys),
    before: OldImage && plainItem(OldImage),
    after: NewImage && plainItem(NewImage),
  }
}

function plainItem(item: Item): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(item).map(([key, value]) => [key, plain(value)]))
}
