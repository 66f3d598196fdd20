import type { AttributeValue, DynamoDBClient, QueryCommandInput } from '@aws-sdk/client-dynamodb'
import type { AuditStore, PackQuery } from './audit-store.ts'
import { fromExpiry, type Item, number, text, toExpiry, toItemKey } from './dynamodb-items.ts'
import { queryItems } from './dynamodb-query.ts'
import type { DynamoDbRecords } from './dynamodb-records.ts'
import { mergeSorted } from './merge-sorted.ts'
import type { PackHead, PackRecord } from './pack/pack-record.ts'
import { toItemPrefix } from './records.ts'
import { type Backoff, retryThrottled } from './retry-throttled.ts'

/** Part of the layout: whoever reads looks into all of them. */
const partitionCount = 8
const keyPrefix = 'pack#'
const attributes = {
  '#executionId': 'executionId',
  '#recordKey': 'recordKey',
  '#writer': 'writer',
  '#number': 'number',
  '#first': 'first',
  '#count': 'count',
  '#index': 'index',
  '#lastItem': 'lastItem',
  '#previous': 'previous',
  '#keyId': 'keyId',
  '#expiresAt': 'expiresAt',
  '#mac': 'mac',
}

/**
 * Blocks that hold their entries, spread over partitions by the MACs in their keys: one partition takes 1,000 write
 * units a second.
 */
export function createDynamoDbPacks(
  client: Pick<DynamoDBClient, 'send'>,
  tableName: string,
  { insert }: Pick<DynamoDbRecords, 'insert'>,
  backoff: Backoff,
): Pick<AuditStore, 'putPack' | 'readPacks' | 'readPackHeads'> {
  function read<T extends PackHead>(
    query: PackQuery,
    fromItem: (item: Item, executionId: string) => T,
    names?: readonly string[],
  ): AsyncGenerator<T> {
    async function* readPartition(partition: number): AsyncGenerator<T> {
      const input = { TableName: tableName, ...toQuery(query, partition, names) }
      for await (const item of queryItems(client, input)) yield fromItem(item, query.executionId)
    }
    const partitions = Array.from({ length: partitionCount }, (_, partition) => readPartition(partition))
    return mergeSorted(partitions, (a, b) => (a.packKey < b.packKey ? -1 : Number(a.packKey > b.packKey)))
  }

  return {
    async putPack(pack) {
      const stored = await retryThrottled(() => insert(toPackItem(pack)), backoff)
      return fromHeadItem(stored, pack.executionId)
    },
    readPacks: query => read(query, fromPackItem),
    readPackHeads: query => read(query, fromHeadItem, Object.keys(attributes)),
  }
}

function toQuery(
  { executionId, itemIndex, logType, fromItem, after }: PackQuery,
  partition: number,
  names: readonly string[] | undefined,
): Omit<QueryCommandInput, 'TableName'> {
  const from = Math.max(fromItem ?? 0, itemIndex ?? 0)
  const conditions = [from > 0 && '#lastItem >= :from', logType && 'contains(#index, :type)'].filter(Boolean)
  const condition = conditions.join(' and ')
  const used = names ?? (condition.match(/#\w+/g) as string[] | null) ?? []
  return {
    KeyConditionExpression: 'executionId = :execution and recordKey between :after and :end',
    ...(condition && { FilterExpression: condition }),
    ...(names && { ProjectionExpression: names.join() }),
    ...(used.length > 0 && {
      ExpressionAttributeNames: Object.fromEntries(
        used.map(name => [name, attributes[name as keyof typeof attributes]]),
      ),
    }),
    ExpressionAttributeValues: {
      ':execution': { S: toPartition(executionId, partition) },
      // Keys are of one length: with one character more, this one comes after the one it was made of.
      ':after': { S: `${keyPrefix}${after === undefined ? '' : `${after}#`}` },
      // The characters after the last of the prefix, and after the digits of the item.
      ':end': { S: itemIndex === undefined ? 'pack$' : `${keyPrefix}${toItemPrefix(itemIndex)}~` },
      ...(from > 0 && { ':from': { N: String(from) } }),
      ...(logType && { ':type': { S: logType } }),
    },
  }
}

/** No execution's own records are in such a partition: of those, none has a key like a block's. */
function toPartition(executionId: string, partition: number): string {
  return `${executionId}#${partition}`
}

function partitionOf(packKey: string): number {
  return (Buffer.from(packKey.slice(13, 17), 'base64url')[0] ?? 0) % partitionCount
}

function toPackItem(pack: PackRecord): Item {
  return {
    ...toItemKey(toPartition(pack.executionId, partitionOf(pack.packKey)), `${keyPrefix}${pack.packKey}`),
    writer: { S: pack.writer },
    number: { N: String(pack.number) },
    first: { N: String(pack.first) },
    count: { N: String(pack.count) },
    index: { S: pack.index },
    lastItem: { N: String(pack.lastItem) },
    previous: { S: pack.previous },
    keyId: { S: pack.keyId },
    ...toExpiry(pack),
    mac: { S: pack.mac },
    tags: { B: pack.tags },
    body: { B: pack.body },
  }
}

function fromHeadItem(item: Item, executionId: string): PackHead {
  const packKey = text(item, 'recordKey').slice(keyPrefix.length)
  const isInPlace = text(item, 'executionId') === toPartition(executionId, partitionOf(packKey))
  return {
    // What is in another partition than its own fits no MAC.
    executionId: isInPlace ? executionId : '',
    packKey,
    writer: text(item, 'writer'),
    number: number(item, 'number'),
    first: number(item, 'first'),
    count: number(item, 'count'),
    index: text(item, 'index'),
    lastItem: number(item, 'lastItem'),
    previous: text(item, 'previous'),
    keyId: text(item, 'keyId'),
    ...fromExpiry(item),
    mac: text(item, 'mac'),
  }
}

function fromPackItem(item: Item, executionId: string): PackRecord {
  return { ...fromHeadItem(item, executionId), tags: bytes(item['tags']), body: bytes(item['body']) }
}

function bytes(value: AttributeValue | undefined): Uint8Array {
  return new Uint8Array(value?.B ?? [])
}
