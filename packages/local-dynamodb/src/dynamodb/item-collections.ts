/// <reference path="./dynalite.d.ts" />
import type { Item, StoredTable } from 'dynalite/db/index.js'

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
export function toItemCollection({ table, item }: Written): ItemCollection | undefined {
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
