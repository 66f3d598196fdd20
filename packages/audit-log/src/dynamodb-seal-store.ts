import type { SealStore } from './audit-store.ts'
import { fromSealItem, toItemKey, toSealItem, toSealKey } from './dynamodb-items.ts'
import {
  createDynamoDbRecords,
  type DynamoDbRecords,
  type DynamoDbRecordsOptions,
} from './dynamodb-records.ts'

/** Seals in a table of their own, of the form of `auditSealTable`. */
export function createDynamoDbSealStore(options: DynamoDbRecordsOptions): SealStore {
  return toSealStore(createDynamoDbRecords(options))
}

export function toSealStore({ get, insert }: DynamoDbRecords): SealStore {
  return {
    putSeal: async seal => fromSealItem(await insert(toSealItem(seal))),
    async readSeal(executionId, generation = 1) {
      const item = await get(toItemKey(executionId, toSealKey(generation)))
      return item && fromSealItem(item)
    },
  }
}
