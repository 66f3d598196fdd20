import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { type Sleep, sleep as sleepFor } from '@stepwright/errors/retry'
import type { AuditStore } from './audit-store.ts'
import { createDynamoDbPacks } from './dynamodb-packs.ts'
import { createDynamoDbRecords } from './dynamodb-records.ts'
import { toSealStore } from './dynamodb-seal-store.ts'

export interface DynamoDbAuditStoreOptions {
  readonly client: Pick<DynamoDBClient, 'send'>
  /** A table of the form of `auditTable`. */
  readonly tableName: string
  /** How often in a row a call may be throttled. @default 10 */
  readonly maxAttempts?: number
  readonly sleep?: Sleep
  readonly random?: () => number
}

export function createDynamoDbAuditStore({
  client,
  tableName,
  maxAttempts = 10,
  sleep = sleepFor,
  random = Math.random,
}: DynamoDbAuditStoreOptions): AuditStore {
  const records = createDynamoDbRecords({ client, tableName })
  return {
    ...toSealStore(records),
    ...createDynamoDbPacks(client, tableName, records, {
      maxAttempts,
      sleep,
      random,
    }),
  }
}
