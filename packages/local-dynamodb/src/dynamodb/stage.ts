/// <reference path="./dynalite.d.ts" />
import { promisify } from 'node:util'
import type { Entries, Item, Operation, Store, StoredTable } from 'dynalite/db/index.js'

/** What became of one item. */
export interface Change {
  readonly tableName: string
  readonly before: Item | undefined
  readonly after: Item | undefined
}

export interface Stage {
  /** Reads from the store and keeps writes back. Callers hold the locks of the items that they change. */
  readonly store: Store
  readonly changes: readonly Change[]
  readonly operations: readonly Operation[]
}

/** A place for the writes of a transaction, which are stored later in one batch. An item is changed once. */
export function createStage(store: Store): Stage {
  const changes: Change[] = []
  const operations: Operation[] = []

  function toEntries(prefix: string, from: Entries, onChange: (key: string, after?: Item) => void): Entries {
    return {
      lock: (_, run) => run(done => done),
      get: from.get,
      put(key, value, done) {
        operations.push({ type: 'put', key: `${prefix}${key}`, value })
        onChange(key, value as Item)
        done()
      },
      del(key, done) {
        operations.push({ type: 'del', key: `${prefix}${key}` })
        onChange(key)
        done()
      },
    }
  }

  function getItemDb(tableName: string): Entries {
    const from = store.getItemDb(tableName)
    let before: Item | undefined
    const get: Entries['get'] = (key, done) =>
      from.get(key, (error, item) => {
        before = item
        done(error, item)
      })
    return toEntries(`item-${tableName}~`, { ...from, get }, (_, after) =>
      changes.push({ tableName, before, after }),
    )
  }

  function getIndexDb(kind: string, table: string, index: string): Entries {
    const prefix = `index-${kind.toLowerCase()}~${table}~${index}~`
    return toEntries(prefix, store.getIndexDb(kind, table, index), () => {})
  }

  return { store: { ...store, getItemDb, getIndexDb }, changes, operations }
}

export interface Place {
  readonly tableName: string
  readonly key: string
}

/** Runs while nobody else writes these items. Tables are locked in one order, so that callers never block each other. */
export async function withLocks<Result>(
  store: Store,
  places: readonly Place[],
  run: () => Promise<Result>,
): Promise<Result> {
  const tables = Map.groupBy(places, ({ tableName }) => tableName)
  const releases: (() => void)[] = []
  try {
    for (const name of [...tables.keys()].sort()) {
      const keys = (tables.get(name) ?? []).map(({ key }) => key)
      await new Promise<void>(locked =>
        store.getItemDb(name).lock(keys, release => {
          releases.push(release(() => {}))
          locked()
        }),
      )
    }
    return await run()
  } finally {
    for (const release of releases) release()
  }
}

/** Rejects with the answer of DynamoDB if there is no such table. */
export async function findTable(store: Store, name: string): Promise<StoredTable> {
  const table = await promisify<string, StoredTable | undefined>(store.getTable)(name)
  return table as StoredTable
}

export async function findItem(store: Store, { tableName, key }: Place): Promise<Item | undefined> {
  return (await store.db.get(`item-${tableName}~${key}`)) as Item | undefined
}
