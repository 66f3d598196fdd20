/// <reference path="./dynalite.d.ts" />
import { promisify } from 'node:util'
import dynaliteDb, { type Item, type Store, type StoredTable } from 'dynalite/db/index.js'

const updateIndexes = promisify(dynaliteDb.updateIndexes)

/**
 * Puts right what a process that was killed left half done: tables on their way, and the entries of indexes, which
 * dynalite writes apart from their items.
 */
export async function repairStore(store: Store): Promise<void> {
  for await (const value of store.db.values(below('table~'))) {
    const table = value as StoredTable
    if (table.TableStatus === 'DELETING') await forget(store, table)
    else await activate(store, table)
  }
}

async function forget({ db }: Store, { TableName }: StoredTable): Promise<void> {
  for (const kind of ['item-', 'tag-', 'index-global~', 'index-local~']) {
    await db.clear(below(`${kind}${TableName}~`))
  }
  await db.del(`table~${TableName}`)
}

async function activate(store: Store, table: StoredTable): Promise<void> {
  const { TableName, GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = table
  if (table.TableStatus !== 'ACTIVE') {
    table.TableStatus = 'ACTIVE'
    for (const index of GlobalSecondaryIndexes) index.IndexStatus = 'ACTIVE'
    await store.db.put(`table~${TableName}`, table)
  }
  if (GlobalSecondaryIndexes.length + LocalSecondaryIndexes.length === 0) return
  for (const kind of ['index-global~', 'index-local~']) await store.db.clear(below(`${kind}${TableName}~`))
  for await (const item of store.db.values(below(`item-${TableName}~`))) {
    await updateIndexes(store, table, undefined, item as Item)
  }
}

function below(prefix: string): { gte: string; lt: string } {
  return { gte: prefix, lt: `${prefix}\uffff` }
}
