/// <reference path="./dynalite.d.ts" />
import type { Operation, Store } from 'dynalite/db/index.js'

/** What a table has that dynalite does not know. */
export interface TableSettings {
  readonly deletionProtection?: boolean
  readonly tableClass?: string
  readonly tableClassChangedAt?: number
  /** The attribute whose time deletes an item. */
  readonly timeToLive?: string
}

export interface SettingsStore {
  of(table: string): TableSettings
  all(): Iterable<[string, TableSettings]>
  toOperation(table: string, settings: TableSettings | undefined): Operation
  /** What `toOperation` stores is stored. */
  set(table: string, settings: TableSettings | undefined): void
  /** Stores the operations with the next change of the table that dynalite makes in `run`, in one batch. */
  storeWithTable<Result>(
    table: string,
    operations: readonly Operation[],
    run: () => Promise<Result>,
  ): Promise<Result>
}

const prefix = 'settings~'

/** Opens the settings of all tables. */
export async function openTableSettings(store: Store): Promise<SettingsStore> {
  const known = new Map<string, TableSettings>()
  for await (const [key, value] of store.db.iterator({ gte: prefix, lt: `${prefix}\uffff` })) {
    known.set(key.slice(prefix.length), value as TableSettings)
  }
  const pending = new Map<string, readonly Operation[]>()
  const { tableDb } = store
  const put = tableDb.put.bind(tableDb)
  tableDb.put = (key, value, done) => {
    const operations = pending.get(key)
    if (operations === undefined) return put(key, value, done)
    pending.delete(key)
    store.db.batch([{ type: 'put', key: `table~${key}`, value }, ...operations]).then(
      () => done(),
      error => done(error),
    )
  }
  return {
    of: table => known.get(table) ?? {},
    all: () => known.entries(),
    toOperation: (table, value) =>
      value === undefined
        ? { type: 'del', key: `${prefix}${table}` }
        : { type: 'put', key: `${prefix}${table}`, value },
    set(table, settings) {
      if (settings === undefined) known.delete(table)
      else known.set(table, settings)
    },
    async storeWithTable(table, operations, run) {
      pending.set(table, operations)
      try {
        return await run()
      } finally {
        pending.delete(table)
      }
    },
  }
}
