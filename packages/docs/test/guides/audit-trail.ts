import { createAuditLog, parseAuditKeys, type VerifyResult } from '@stepwright/audit-log'
import { createMemoryAuditStore } from '@stepwright/audit-log/memory'

const audit = createAuditLog({
  store: createMemoryAuditStore(), // createDynamoDbAuditStore({ client, tableName }) on AWS
  keys: parseAuditKeys(`2026-11:${Buffer.alloc(32, 'a secret of 32 bytes').toString('base64')}`),
})

const executionId = 'user-log-20261117'
await audit.appendAll([
  { executionId, itemIndex: 1, logType: 'SUCCESS', userRecord: { id: 'U1' } },
  { executionId, itemIndex: 2, logType: 'BUSINESS_ERROR', userRecord: { id: 'U2' } },
])
export const before: VerifyResult = await audit.verify(executionId)
// { ok: false, problem: { kind: 'unsealed', … } }

const { mac } = await audit.seal(executionId, { items: { first: 1, count: 2 } }) // refused if an item has no entry
export const after: VerifyResult = await audit.verify(executionId, { mac })
// { ok: true, entries: 2, writers: 1, late: 0 }
