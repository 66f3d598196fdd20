import { setTimeout as wait } from 'node:timers/promises'
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb'
import { UnexpectedError } from '@stepwright/errors'
import type { AuditStore, EntryQuery } from './audit-store.ts'
import { type Backoff, inBatches, sendWhole } from './batch-call.ts'
import {
  fromBlockItem,
  fromEntryItem,
  fromSealItem,
  type Item,
  sealKey,
  toBlockItem,
  toEntryItem,
  toItemKey,
  toRecordKey,
  toSealItem,
} from './dynamodb-items.ts'
import { failuresIndex } from './dynamodb-table.ts'
import { forEachBounded } from './for-each-bounded.ts'
import { type EntryRecord, toItemPrefix } from './records.ts'

export interface DynamoDbAuditStoreOptions {
  readonly client: Pick<DynamoDBClient, 'send'>
  /** A table of the form of `toAuditTable`. */
  readonly tableName: string
  /** How many batch calls run at a time. @default 4 */
  readonly concurrency?: number
  /** How often in a row a batch call may get nothing done. @default 10 */
  readonly maxAttempts?: number
  /** The first delay after a throttled call; it doubles up to `maxDelayMs`, with full jitter. @default 25 */
  readonly baseDelayMs?: number
  /** @default 3000 */
  readonly maxDelayMs?: number
  readonly sleep?: (ms: number) => Promise<void>
  readonly random?: () => number
}

// What DynamoDB takes in one call.
const maxWriteItems = 25
const maxGetItems = 100

export function createDynamoDbAuditStore({
  client,
  tableName,
  concurrency = 4,
  maxAttempts = 10,
  baseDelayMs = 25,
  maxDelayMs = 3000,
  sleep = ms => wait(ms),
  random = Math.random,
}: DynamoDbAuditStoreOptions): AuditStore {
  const backoff: Backoff = { maxAttempts, baseDelayMs, maxDelayMs, sleep, random }

  async function sendInBatches(
    items: readonly Item[],
    size: number,
    send: (batch: readonly Item[]) => Promise<readonly Item[]>,
  ): Promise<void> {
    await forEachBounded(inBatches(items, size), { limit: concurrency }, batch =>
      sendWhole(batch, send, backoff),
    )
  }

  async function writeBatch(items: readonly Item[]): Promise<readonly Item[]> {
    const requests = items.map(Item => ({ PutRequest: { Item } }))
    const { UnprocessedItems = {} } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }),
    )
    return (UnprocessedItems[tableName] ?? []).flatMap(({ PutRequest }) =>
      PutRequest?.Item ? [PutRequest.Item] : [],
    )
  }

  async function get(key: Item): Promise<Item | undefined> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: key, ConsistentRead: true }),
    )
    return Item
  }

  /** Adds an item unless its key is taken; returns what is stored then. */
  async function putOnce(item: Item): Promise<Item> {
    const { executionId, recordKey } = item as { executionId: { S: string }; recordKey: { S: string } }
    try {
      await client.send(
        new PutItemCommand({
          TableName: tableName,
          Item: item,
          ConditionExpression: 'attribute_not_exists(recordKey)',
        }),
      )
      return item
    } catch (error) {
      if ((error as Error).name !== 'ConditionalCheckFailedException') throw error
    }
    const stored = await get(toItemKey(executionId.S, recordKey.S))
    if (stored) return stored
    throw new UnexpectedError(`audit record ${recordKey.S} of ${executionId.S} was deleted as it was read`)
  }

  async function* query(input: Omit<QueryCommandInput, 'TableName'>): AsyncGenerator<Item> {
    let start: Item | undefined
    do {
      const page = await client.send(
        new QueryCommand({
          TableName: tableName,
          ConsistentRead: input.IndexName === undefined,
          ...input,
          ...(start && { ExclusiveStartKey: start }),
        }),
      )
      yield* page.Items ?? []
      start = page.LastEvaluatedKey
    } while (start)
  }

  return {
    async putEntries(entries) {
      const unique = new Map(entries.map(entry => [entry.entryKey, toEntryItem(entry)]))
      await sendInBatches([...unique.values()], maxWriteItems, writeBatch)
    },
    putBlock: async block => fromBlockItem(await putOnce(toBlockItem(block))),
    putSeal: async seal => fromSealItem(await putOnce(toSealItem(seal))),
    async *readEntries(wanted) {
      for await (const item of query(toEntriesQuery(wanted))) yield fromEntryItem(item)
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
    async readSeal(executionId) {
      const item = await get(toItemKey(executionId, sealKey))
      return item && fromSealItem(item)
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
