declare module 'dynalite' {
  import type { Server } from 'node:http'
  import type { DynaliteOptions } from 'dynalite/db/index.js'

  function dynalite(options?: DynaliteOptions): Server
  export = dynalite
}

declare module 'dynalite/db/index.js' {
  interface Range {
    gte: string
    lt: string
  }
  namespace dynaliteDb {
    interface DynaliteOptions {
      createTableMs?: number
      deleteTableMs?: number
      updateTableMs?: number
      path?: string
    }
    interface StoredTable {
      TableName: string
      TableStatus: string
      GlobalSecondaryIndexes?: { IndexStatus?: string }[]
      LocalSecondaryIndexes?: unknown[]
    }
    /** What dynalite keeps its tables in: a LevelDB whose keys start with what they are about. */
    interface Store {
      readonly db: {
        open(): Promise<void>
        close(): Promise<void>
        values(range: Range): AsyncIterable<unknown>
        clear(range: Range): Promise<void>
        put(key: string, value: unknown): Promise<void>
        del(key: string): Promise<void>
      }
    }
  }
  const dynaliteDb: {
    create(options?: dynaliteDb.DynaliteOptions): dynaliteDb.Store
    updateIndexes(
      store: dynaliteDb.Store,
      table: dynaliteDb.StoredTable,
      before: undefined,
      item: unknown,
      done: (error?: Error | null) => void,
    ): void
  }
  export = dynaliteDb
}
