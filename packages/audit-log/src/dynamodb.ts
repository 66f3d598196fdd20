export { createDynamoDbAuditStore, type DynamoDbAuditStoreOptions } from './dynamodb-audit-store.ts'
export { auditTtlAttribute, toAuditTable } from './dynamodb-table.ts'
