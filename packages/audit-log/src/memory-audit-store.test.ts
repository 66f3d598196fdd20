import { createMemoryAuditStore } from './memory-audit-store.ts'
import { testAuditStore } from './testing.ts'

testAuditStore('createMemoryAuditStore', async () => createMemoryAuditStore())
