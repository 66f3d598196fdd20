import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import {
  CreateTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  paginateScan,
} from '@aws-sdk/client-dynamodb'
import { createAuditLog, parseAuditKeys } from '@stepwright/audit-log'
import { createDynamoDbAuditStore } from '@stepwright/audit-log/dynamodb'
import { auditTable } from '@stepwright/audit-log/table'
import { figure } from '@stepwright/bench'
import { toEntries } from './entries.ts'
import { writeUnits } from './write-units.ts'

const entryCount = 20_000
const tableName = 'audit'
const executionId = 'user-log-20240802-001'

const server = fork(fileURLToPath(new URL('./dynamodb-process.ts', import.meta.url)))
const [config] = (await once(server, 'message')) as [DynamoDBClientConfig]
const client = new DynamoDBClient(config)
const keys = parseAuditKeys(`k1:${Buffer.alloc(32, 7).toString('base64')}`)
const store = createDynamoDbAuditStore({ client, tableName })
const entries = toEntries(entryCount)

/** The whole trail of an execution of its own, sealed; gives what DynamoDB would charge for it, an entry. */
async function writeTrail(): Promise<number> {
  await client.send(new CreateTableCommand(auditTable({ tableName })))
  const log = createAuditLog({ store, keys })
  // In 500s, as a workflow appends them.
  for (let start = 0; start < entryCount; start += 500) {
    await log.appendAll(entries.slice(start, start + 500))
  }
  await log.seal(executionId, { items: { first: 0, count: entryCount } })
  let units = 0
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tableName })) {
    for (const item of Items) units += writeUnits(item)
  }
  return units / entryCount
}

figure('audit.wcu_per_entry', await writeTrail(), { atMost: 0.1 })

client.destroy()
server.disconnect()
