import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createAuditLog } from '../audit-log.ts'
import type { AuditStore } from '../audit-store.ts'
import { createDynamoDbAuditStore } from '../dynamodb.ts'
import { keys, success } from './audit-trail.ts'

// A writer of its own process: appends items and says which are done, until it is killed or has done all. With a
// number of blocks it kills itself when one more is stored and nobody was told.
const [endpoint = '', tableName = '', from, to, blocks = 'Infinity'] = process.argv.slice(2)
const client = new DynamoDBClient({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
})
const store = createDynamoDbAuditStore({ client, tableName })
let left = Number(blocks)
const mortal: AuditStore = {
  ...store,
  async putPack(pack) {
    left -= 1
    const stored = await store.putPack(pack)
    // It dies before it can say that the block is stored.
    if (left < 0) process.kill(process.pid, 'SIGKILL')
    return stored
  },
}
const log = createAuditLog({
  store: mortal,
  keys,
  blockSize: 20,
})
for (let start = Number(from); start < Number(to); start += 60) {
  const items = Array.from({ length: Math.min(60, Number(to) - start) }, (_, n) => start + n)
  await Promise.all(items.map(item => log.append(success(item))))
  process.stdout.write(`${start + items.length}\n`)
}
client.destroy()
