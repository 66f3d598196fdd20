declare module 'dynalite' {
  import type { Server } from 'node:http'
  import type { DynaliteOptions } from 'dynalite/db/index.js'

  function dynalite(options?: DynaliteOptions): Server
  export = dynalite
}

declare module 'dynalite/db/index.js' {
  interface Range {
    gte?: string
    gt?: string
    lt: string
    limit?: number
    reverse?: boolean
  }
  namespace dynaliteDb {
    type Item = Record<string, unknown>
    type Done<Result = void> = (error?: Error | null, result?: Result) => void
    interface DynaliteOptions {
      createTableMs?: number
      deleteTableMs?: number
      updateTableMs?: number
      path?: string
    }
    interface KeyElement {
      AttributeName: string
      KeyType: string
    }
    interface StoredIndex {
      IndexName: string
      IndexStatus?: string
      KeySchema: KeyElement[]
      Projection?: unknown
    }
    interface StoredTable {
      TableName: string
      TableArn: string
      TableStatus: string
      KeySchema: KeyElement[]
      AttributeDefinitions: { AttributeName: string; AttributeType: string }[]
      GlobalSecondaryIndexes?: StoredIndex[]
      LocalSecondaryIndexes?: StoredIndex[]
    }
    type Operation = { type: 'put'; key: string; value: unknown } | { type: 'del'; key: string }
    /** The entries of one table or index. */
    interface Entries {
      lock(key: string | string[], run: (release: (done: () => void) => () => void) => void): void
      get(key: string, done: Done<Item>): void
      put(key: string, value: object, done: Done): void
      del(key: string, done: Done): void
    }
    /** What dynalite keeps its tables in: a LevelDB whose keys start with what they are about. */
    interface Store {
      readonly db: {
        open(): Promise<void>
        close(): Promise<void>
        get(key: string): Promise<unknown>
        keys(range: Range): AsyncIterable<string>
        values(range: Range): AsyncIterable<unknown>
        iterator(range: Range): AsyncIterable<[string, unknown]>
        clear(range: Range): Promise<void>
        put(key: string, value: unknown): Promise<void>
        del(key: string): Promise<void>
        /** All or nothing, also when the process is killed. */
        batch(operations: readonly Operation[]): Promise<void>
      }
      readonly tableDb: Entries & { readonly awsRegion: string; readonly awsAccountId: string }
      getTable(name: string, done: Done<StoredTable>): void
      getItemDb(table: string): Entries
      getIndexDb(kind: string, table: string, index: string): Entries
    }
    /** An answer of DynamoDB that is an error. */
    interface Refusal extends Error {
      readonly statusCode: number
      readonly body: { readonly __type: string; readonly message?: string }
    }
  }
  const dynaliteDb: {
    create(options?: dynaliteDb.DynaliteOptions): dynaliteDb.Store
    updateIndexes(
      store: dynaliteDb.Store,
      table: dynaliteDb.StoredTable,
      before: dynaliteDb.Item | undefined,
      item: dynaliteDb.Item | undefined,
      done: dynaliteDb.Done,
    ): void
    validateKey(key: dynaliteDb.Item, table: dynaliteDb.StoredTable): dynaliteDb.Refusal | undefined
    validateItem(item: dynaliteDb.Item, table: dynaliteDb.StoredTable): dynaliteDb.Refusal | undefined
    createKey(item: dynaliteDb.Item, table: dynaliteDb.StoredTable): string
    checkConditional(data: object, item: dynaliteDb.Item | undefined): dynaliteDb.Refusal | undefined
    addConsumedCapacity(data: object, isRead: boolean, item: dynaliteDb.Item | undefined): unknown
    validationError(message: string): dynaliteDb.Refusal
    itemSize(item: dynaliteDb.Item): number
  }
  export = dynaliteDb
}

declare module 'dynalite/validations/index.js' {
  import type { Item, Store } from 'dynalite/db/index.js'

  const validations: {
    /** Drops the fields that are not in `types`. */
    checkTypes(data: object, types: object): Item
    checkValidations(data: Item, types: object, custom: unknown, store: Store): void
  }
  export = validations
}

declare module 'dynalite/validations/getItem.js' {
  const rules: { types: object; custom: unknown }
  export = rules
}
declare module 'dynalite/validations/putItem.js' {
  const rules: { types: object; custom: unknown }
  export = rules
}
declare module 'dynalite/validations/updateItem.js' {
  const rules: { types: object; custom: unknown }
  export = rules
}
declare module 'dynalite/validations/deleteItem.js' {
  const rules: { types: object; custom: unknown }
  export = rules
}

declare module 'dynalite/actions/getItem.js' {
  import type { Done, Item, Store } from 'dynalite/db/index.js'

  function run(store: Store, data: Item, done: Done<Item>): void
  export = run
}
declare module 'dynalite/actions/putItem.js' {
  import type { Done, Item, Store } from 'dynalite/db/index.js'

  function run(store: Store, data: Item, done: Done<Item>): void
  export = run
}
declare module 'dynalite/actions/updateItem.js' {
  import type { Done, Item, Store } from 'dynalite/db/index.js'

  function run(store: Store, data: Item, done: Done<Item>): void
  export = run
}
declare module 'dynalite/actions/deleteItem.js' {
  import type { Done, Item, Store } from 'dynalite/db/index.js'

  function run(store: Store, data: Item, done: Done<Item>): void
  export = run
}

declare module 'dynalite/validations/scan.js' {
  const scan: { readonly types: Record<string, unknown> }
  export = scan
}
