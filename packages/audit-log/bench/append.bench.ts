import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb'
import { createAuditLog, type NewAuditEntry, parseAuditKeys } from '@stepwright/audit-log'
import { createDynamoDbAuditStore } from '@stepwright/audit-log/dynamodb'
import { auditTable } from '@stepwright/audit-log/table'
import { compare, figure } from '@stepwright/bench'
import { toEntries } from './entries.ts'

const entryCount = 5000
const table = 'audit'

const server = fork(fileURLToPath(new URL('./dynamodb-process.ts', import.meta.url)))
const [config] = (await once(server, 'message')) as [DynamoDBClientConfig]
const client = new DynamoDBClient(config)
const keys = parseAuditKeys(`k1:${Buffer.alloc(32, 7).toString('base64')}`)
const entries = toEntries(entryCount)

/** The same facts, as a loop without a library would write them. */
function toBareItem(entry: NewAuditEntry): Record<string, AttributeValue> {
  const { executionId, itemIndex, logType, timestamp = '', userRecord, processResult } = entry
  return {
    executionId: { S: executionId },
    recordKey: { S: `entry#${String(itemIndex).padStart(12, '0')}#1` },
    itemIndex: { N: String(itemIndex) },
    attempt: { N: '1' },
    logType: { S: logType },
    timestamp: { S: timestamp },
    body: { S: JSON.stringify({ userRecord, processResult }) },
    ...(logType !== 'SUCCESS' && { failedExecutionId: { S: executionId } }),
  }
}

async function writeBare(): Promise<number> {
  for (let start = 0; start < entryCount; start += 25) {
    const batch = entries.slice(start, start + 25).map(entry => ({ PutRequest: { Item: toBareItem(entry) } }))
    await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: batch } }))
  }
  return entryCount
}

async function writeBareFourAtATime(): Promise<number> {
  const starts = Array.from({ length: entryCount / 25 }, (_, n) => n * 25)
  async function work(): Promise<void> {
    for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
      const batch = entries
        .slice(start, start + 25)
        .map(entry => ({ PutRequest: { Item: toBareItem(entry) } }))
      await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: batch } }))
    }
  }
  await Promise.all([work(), work(), work(), work()])
  return entryCount
}

const times = await compare(
  `append ${entryCount} entries to DynamoDB's protocol`,
  {
    ours: () =>
      createAuditLog({ store: createDynamoDbAuditStore({ client, tableName: table }), keys }).appendAll(
        entries,
      ),
    'bare loop': writeBare,
    'bare, four at a time': writeBareFourAtATime,
  },
  {
    rounds: 11,
    async before() {
      await client.send(new DeleteTableCommand({ TableName: table })).catch(() => undefined)
      await client.send(new CreateTableCommand(auditTable({ tableName: table })))
    },
  },
)
figure('audit.vs_batch_write', times['bare loop'].medianMs / times.ours.medianMs, { atLeast: 0.8 })
client.destroy()
server.disconnect()
