/// <reference path="./dynalite.d.ts" />
import type { Item, Store, StoredTable } from 'dynalite/db/index.js'
import type { Call, Engine } from './engine.ts'
import { jsonAnswer } from './engine-calls.ts'
import { findTable } from './stage.ts'

interface Written {
  readonly table: Pick<StoredTable, 'TableName' | 'KeySchema' | 'LocalSecondaryIndexes'>
  /** The item, or its key. */
  readonly item: Item
}

interface ItemCollection {
  readonly ItemCollectionKey: Item
  readonly SizeEstimateRangeGB: readonly [number, number]
}

/** The item collection that was written to: only tables with local secondary indexes have them. */
function toItemCollection({ table, item }: Written): ItemCollection | undefined {
  if (!table.LocalSecondaryIndexes?.length) return undefined
  const name = table.KeySchema[0]?.AttributeName ?? ''
  return { ItemCollectionKey: { [name]: item[name] }, SizeEstimateRangeGB: [0, 1] }
}

/** The answer of a call that writes to several tables. */
export function toItemCollections(written: readonly Written[]): {
  ItemCollectionMetrics: Readonly<Record<string, readonly ItemCollection[]>>
} {
  const collections: Record<string, Map<string, ItemCollection>> = {}
  for (const one of written) {
    const collection = toItemCollection(one)
    if (collection === undefined) continue
    collections[one.table.TableName] ??= new Map()
    collections[one.table.TableName]?.set(JSON.stringify(collection), collection)
  }
  return {
    ItemCollectionMetrics: Object.fromEntries(
      Object.entries(collections).map(([table, found]) => [table, [...found.values()]]),
    ),
  }
}

/** Adds `ItemCollectionMetrics` to the answers of writes that ask for them. */
export function withItemCollections(engine: Engine, store: Store): Engine {
  return async call => {
    const answer = await engine(call)
    if (call.input['ReturnItemCollectionMetrics'] !== 'SIZE' || answer.status !== 200) return answer
    if (!/^(Put|Update|Delete|BatchWrite)Item$/.test(call.operation)) return answer
    const output = JSON.parse(answer.body) as object
    const written = await findWritten(call, store)
    if (call.operation === 'BatchWriteItem') {
      return jsonAnswer(200, { ...output, ...toItemCollections(written) })
    }
    const collection = written[0] && toItemCollection(written[0])
    return jsonAnswer(200, { ...output, ...(collection && { ItemCollectionMetrics: collection }) })
  }
}

async function findWritten({ operation, input }: Call, store: Store): Promise<Written[]> {
  if (operation !== 'BatchWriteItem') {
    const table = await findTable(store, String(input['TableName']))
    return [{ table, item: (input['Item'] ?? input['Key']) as Item }]
  }
  const written: Written[] = []
  for (const [name, requests] of Object.entries(input['RequestItems'] as Record<string, WriteRequest[]>)) {
    const table = await findTable(store, name)
    for (const { PutRequest, DeleteRequest } of requests) {
      written.push({ table, item: PutRequest?.Item ?? DeleteRequest?.Key ?? {} })
    }
  }
  return written
}

interface WriteRequest {
  readonly PutRequest?: { readonly Item: Item }
  readonly DeleteRequest?: { readonly Key: Item }
}
