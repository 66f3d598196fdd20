import { createAuditLog, createRedactor, parseAuditKeys, type VerifyResult } from '@stepwright/audit-log'
import { createMemoryAuditStore } from '@stepwright/audit-log/memory'

const audit = createAuditLog({
  store: createMemoryAuditStore(), // or createDynamoDbAuditStore({ client, tableName })
  keys: parseAuditKeys(`2024-08:${Buffer.alloc(32, 'a secret of 32 bytes').toString('base64')}`),
  redact: createRedactor({ paths: ['userRecord.email'] }),
  ttlSeconds: 400 * 86_400,
  now: () => Date.parse('2024-08-02T12:35:00Z'),
})

await audit.append({
  executionId: 'user-log-20240802-001',
  itemIndex: 7,
  logType: 'BUSINESS_ERROR',
  userRecord: { id: 'U00007', email: 'ann@example.com' },
  error: { Error: 'DataValidationError' },
})
await audit.seal('user-log-20240802-001')

export const result: VerifyResult = await audit.verify('user-log-20240802-001')
// { ok: true, entries: 1, writers: 1, late: 0 }

export const lines: string[] = []
for await (const line of audit.exportLines({ executionId: 'user-log-20240802-001' })) lines.push(line)
