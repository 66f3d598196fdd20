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
  readonly TableName: string | undefined
  readonly AttributeDefinitions?: readonly AttributeDefinition[] | undefined
  readonly KeySchema?: readonly KeyElement[] | undefined
  readonly BillingMode?: 'PAY_PER_REQUEST' | 'PROVISIONED' | undefined
  readonly GlobalSecondaryIndexes?: readonly Index[] | undefined
  /** The attribute that says when an item may be deleted. */
  readonly TimeToLiveAttribute?: string | undefined
}

interface AttributeDefinition {
  readonly AttributeName: string | undefined
  readonly AttributeType: 'S' | 'N' | 'B' | undefined
}

interface KeyElement {
  readonly AttributeName: string | undefined
  readonly KeyType: 'HASH' | 'RANGE' | undefined
}

interface Index {
  readonly IndexName: string | undefined
  readonly KeySchema?: readonly KeyElement[] | undefined
  readonly Projection:
    | {
        readonly ProjectionType?: 'ALL' | 'KEYS_ONLY' | 'INCLUDE' | undefined
        readonly NonKeyAttributes?: readonly string[] | undefined
      }
    | undefined
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
