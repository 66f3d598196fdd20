import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createAuditLog } from '../audit-log.ts'
import { createDynamoDbAuditStore } from '../dynamodb.ts'
import { keys, success } from './audit-trail.ts'

// A writer of its own process: appends items and says which are done, until it is killed or has done all.
const [endpoint, tableName, from, to] = process.argv.slice(2) as [string, string, string, string]
const client = new DynamoDBClient({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
})
const log = createAuditLog({ store: createDynamoDbAuditStore({ client, tableName }), keys, blockSize: 20 })
for (let start = Number(from); start < Number(to); start += 60) {
  const items = Array.from({ length: Math.min(60, Number(to) - start) }, (_, n) => start + n)
  await Promise.all(items.map(item => log.append(success(item))))
  process.stdout.write(`${start + items.length}\n`)
}
client.destroy()
