import type { DynamoDBClient, QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb'
import { type Sleep, sleep as sleepFor } from '@stepwright/errors/retry'
import type { AuditStore, EntryQuery } from './audit-store.ts'
import { type Backoff, inBatches, sendWhole } from './batch-call.ts'
import {
  fromBlockItem,
  fromEntryItem,
  type Item,
  toBlockItem,
  toEntryItem,
  toItemKey,
  toRecordKey,
} from './dynamodb-items.ts'
import { createDynamoDbPacks } from './dynamodb-packs.ts'
import { queryItems } from './dynamodb-query.ts'
import { createDynamoDbRecords } from './dynamodb-records.ts'
import { toSealStore } from './dynamodb-seal-store.ts'
import { failuresIndex } from './dynamodb-table.ts'
import { forEachBounded } from './for-each-bounded.ts'
import { type EntryRecord, toItemPrefix } from './records.ts'

export interface DynamoDbAuditStoreOptions {
  readonly client: Pick<DynamoDBClient, 'send'>
  /** A table of the form of `auditTable`. */
  readonly tableName: string
  /** How many batch calls run at a time. @default 4 */
  readonly concurrency?: number
  /** How often in a row a batch call may get nothing done. @default 10 */
  readonly maxAttempts?: number
  /** The first delay after a throttled call; it doubles up to `maxDelayMs`, with full jitter. @default 25 */
  readonly baseDelayMs?: number
  /** @default 3000 */
  readonly maxDelayMs?: number
  readonly sleep?: Sleep
  readonly random?: () => number
}

// What DynamoDB takes in one call.
const maxStatements = 25
const maxGetItems = 100

export function createDynamoDbAuditStore({
  client,
  tableName,
  concurrency = 4,
  maxAttempts = 10,
  baseDelayMs = 25,
  maxDelayMs = 3000,
  sleep = sleepFor,
  random = Math.random,
}: DynamoDbAuditStoreOptions): AuditStore {
  const backoff: Backoff = { maxAttempts, baseDelayMs, maxDelayMs, sleep, random }
  const records = createDynamoDbRecords({ client, tableName })

  async function sendInBatches(
    items: readonly Item[],
    size: number,
    send: (batch: readonly Item[]) => Promise<readonly Item[]>,
  ): Promise<void> {
    await forEachBounded(inBatches(items, size), { limit: concurrency }, batch =>
      sendWhole(batch, send, backoff),
    )
  }

  const query = (input: Omit<QueryCommandInput, 'TableName'>): AsyncGenerator<Item> =>
    queryItems(client, { TableName: tableName, ...input })

  return {
    async putEntries(entries) {
      const unique = new Map(entries.map(entry => [entry.entryKey, toEntryItem(entry)]))
      await sendInBatches([...unique.values()], maxStatements, records.insertBatch)
    },
    putBlock: async block => fromBlockItem(await records.insert(toBlockItem(block))),
    ...toSealStore(records),
    ...createDynamoDbPacks(client, tableName, records, backoff),
    async *readEntries(wanted) {
      for await (const item of query(toEntriesQuery(wanted))) yield fromEntryItem(item)
    },
    async *readEntryKeys(executionId, { fromItem = 0 } = {}) {
      const keys = query({
        KeyConditionExpression: 'executionId = :execution and recordKey between :from and :end',
        ProjectionExpression: 'recordKey',
        ExpressionAttributeValues: {
          ':execution': { S: executionId },
          ':from': { S: toRecordKey(toItemPrefix(fromItem)) },
          // The character after the last of the prefix.
          ':end': { S: 'entry$' },
        },
      })
      for await (const { recordKey } of keys) yield (recordKey?.S ?? '').slice('entry#'.length)
    },
    async getEntries(executionId, entryKeys) {
      const found: EntryRecord[] = []
      const getBatch = async (keys: readonly Item[]): Promise<readonly Item[]> => {
        const { Responses = {}, UnprocessedKeys = {} } = await client.send(
          new BatchGetItemCommand({
            RequestItems: { [tableName]: { Keys: [...keys], ConsistentRead: true } },
          }),
        )
        for (const item of Responses[tableName] ?? []) found.push(fromEntryItem(item))
        return UnprocessedKeys[tableName]?.Keys ?? []
      }
      const keys = [...new Set(entryKeys)].map(entryKey => toItemKey(executionId, toRecordKey(entryKey)))
      await sendInBatches(keys, maxGetItems, getBatch)
      return found
    },
    async *readBlocks(executionId) {
      const blocks = query({
        KeyConditionExpression: 'executionId = :execution and begins_with(recordKey, :prefix)',
        ExpressionAttributeValues: { ':execution': { S: executionId }, ':prefix': { S: 'block#' } },
      })
      for await (const item of blocks) yield fromBlockItem(item)
    },
  }
}

function toEntriesQuery({
  executionId,
  itemIndex,
  logType,
}: EntryQuery): Omit<QueryCommandInput, 'TableName'> {
  const isFailure = logType !== undefined && logType !== 'SUCCESS'
  return {
    ...(isFailure && { IndexName: failuresIndex }),
    KeyConditionExpression: `${isFailure ? 'failedExecutionId' : 'executionId'} = :execution and begins_with(recordKey, :prefix)`,
    ...(logType && { FilterExpression: 'logType = :type' }),
    ExpressionAttributeValues: {
      ':execution': { S: executionId },
      ':prefix': { S: toRecordKey(itemIndex === undefined ? '' : toItemPrefix(itemIndex)) },
      ...(logType && { ':type': { S: logType } }),
    },
  }
}
