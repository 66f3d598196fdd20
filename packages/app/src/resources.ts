/** What an app keeps its data in. */
export interface Resources<B extends string, T extends string, Q extends string, S extends string> {
  readonly buckets?: Readonly<Record<B, Bucket>>
  readonly tables?: Readonly<Record<T, Table>>
  readonly queues?: Readonly<Record<Q, Queue>>
  readonly secrets?: Readonly<Record<S, Secret>>
}

export interface Bucket {
  /** @default the app's name and the bucket's key, as `campaign-import-uploads` */
  readonly bucketName?: string
  /** When objects below a prefix are deleted; `''` is every object. */
  readonly expiry?: readonly { readonly prefix: string; readonly days: number }[]
  /** Where pages come from that may upload and download by presigned URLs. @default none */
  readonly corsOrigins?: readonly string[]
}

/** The part of CreateTable's input that says what a table is, as the packages' `xTable({ tableName })` make it. */
export interface Table {
  readonly TableName: string
  readonly AttributeDefinitions: readonly {
    readonly AttributeName: string
    readonly AttributeType: 'S' | 'N' | 'B'
  }[]
  readonly KeySchema: readonly KeyElement[]
  readonly BillingMode?: 'PAY_PER_REQUEST' | 'PROVISIONED'
  readonly GlobalSecondaryIndexes?: readonly {
    readonly IndexName: string
    readonly KeySchema: readonly KeyElement[]
    readonly Projection: {
      readonly ProjectionType?: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'
      readonly NonKeyAttributes?: readonly string[]
    }
  }[]
  /** The attribute that says when an item may be deleted. */
  readonly TimeToLiveAttribute?: string
}

interface KeyElement {
  readonly AttributeName: string
  readonly KeyType: 'HASH' | 'RANGE'
}

export interface Queue {
  /** @default false */
  readonly fifo?: boolean
  /** @default 30 */
  readonly visibilitySeconds?: number
  /** Deliveries after which a message goes to the dead-letter queue. @default 3 */
  readonly maxReceives?: number
}

export interface Secret {
  readonly description: string
  /** What stands for it on one's own machine. It protects nothing. */
  readonly localValue: string
}
