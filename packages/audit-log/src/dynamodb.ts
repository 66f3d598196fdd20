export { createDynamoDbAuditStore, type DynamoDbAuditStoreOptions } from './dynamodb-audit-store.ts'
export type { DynamoDbRecordsOptions } from './dynamodb-records.ts'
export { createDynamoDbSealStore } from './dynamodb-seal-store.ts'
