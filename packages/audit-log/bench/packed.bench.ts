import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  paginateScan,
} from '@aws-sdk/client-dynamodb'
import { type AuditLog, createAuditLog, parseAuditKeys } from '@stepwright/audit-log'
import { auditTable, createDynamoDbAuditStore } from '@stepwright/audit-log/dynamodb'
import { compare, figure } from '@stepwright/bench'
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

async function emptyTable(): Promise<void> {
  await client.send(new DeleteTableCommand({ TableName: tableName })).catch(() => undefined)
  await client.send(new CreateTableCommand(auditTable({ tableName })))
}

function open(layout: 'packed' | 'single'): AuditLog {
  return createAuditLog({ store, keys, layout })
}

/** The same in 500s, as a workflow appends them: whatever there is to lose by that is lost by both. */
async function append(layout: 'packed' | 'single'): Promise<number> {
  const log = open(layout)
  let count = 0
  for (let start = 0; start < entryCount; start += 500) {
    count += await log.appendAll(entries.slice(start, start + 500))
  }
  return count
}

const times = await compare(
  `append ${entryCount} entries to DynamoDB's protocol`,
  { packed: () => append('packed'), single: () => append('single') },
  { rounds: 5, before: emptyTable },
)
figure('audit.packed.vs_single', times.single.medianMs / times.packed.medianMs, { atLeast: 8 })

/** The whole trail of an execution of its own, sealed; gives what DynamoDB would charge for it, an entry. */
async function writeTrail(layout: 'packed' | 'single'): Promise<number> {
  await emptyTable()
  await append(layout)
  await open(layout).seal(executionId, { items: { first: 0, count: entryCount } })
  let units = 0
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tableName })) {
    for (const item of Items) units += writeUnits(item)
  }
  return units / entryCount
}

console.log(`\nwrite units an entry, one by one: ${(await writeTrail('single')).toFixed(3)}`)
figure('audit.wcu_per_entry', await writeTrail('packed'), { atMost: 0.1 })

client.destroy()
server.disconnect()
