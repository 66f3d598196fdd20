import type { BucketAccess, TableAccess } from './function.ts'

/** What an app keeps its data in. */
export interface Resources {
  readonly buckets?: Readonly<Record<string, Bucket>>
  readonly tables?: Readonly<Record<string, Table>>
  readonly queues?: Readonly<Record<string, Queue>>
  readonly secrets?: Readonly<Record<string, Secret>>
  readonly glueJobs?: Readonly<Record<string, GlueJob>>
  readonly catalogDatabases?: Readonly<Record<string, CatalogDatabase>>
  readonly configurationSets?: Readonly<Record<string, ConfigurationSet>>
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
  readonly ProvisionedThroughput?: Throughput | undefined
  readonly GlobalSecondaryIndexes?: readonly Index[] | undefined
  /** The attribute that says when an item may be deleted. */
  readonly TimeToLiveAttribute?: string | undefined
}

interface AttributeDefinition {
  readonly AttributeName: string | undefined
  readonly AttributeType: 'S' | 'N' | 'B' | undefined
}

/** Needed where `BillingMode` is `PROVISIONED`. */
interface Throughput {
  readonly ReadCapacityUnits: number | undefined
  readonly WriteCapacityUnits: number | undefined
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
  readonly ProvisionedThroughput?: Throughput | undefined
}

/** What a queue has where its declaration says nothing. */
export const queueDefaults: { readonly visibilitySeconds: number; readonly maxReceives: number } = {
  visibilitySeconds: 30,
  maxReceives: 3,
}

export interface Queue {
  /** @default false */
  readonly fifo?: boolean
  /** How long a message is hidden while it is worked on: no shorter than the function that it calls may take. @default 30 */
  readonly visibilitySeconds?: number
  /** Deliveries after which a message goes to the dead-letter queue. @default 3 */
  readonly maxReceives?: number
}

export interface Secret {
  readonly description: string
  /** What stands for it on one's own machine. It protects nothing. */
  readonly localValue: string
}

/** A configuration set of SES: EventBridge hears what becomes of the messages that are sent with it. */
export interface ConfigurationSet {
  /** @default the app's name and the set's key */
  readonly configurationSetName?: string
}

/** A Spark job of AWS Glue. On one machine, the stand-in of `glue:startJobRun` does its work. */
export interface GlueJob {
  readonly jobName: string
  /** Its script in Python, relative to the app's root. */
  readonly script: string
  /** @default '5.0' */
  readonly glueVersion?: string
  /** @default 'G.1X' */
  readonly workerType?: 'G.1X' | 'G.2X' | 'G.4X' | 'G.8X'
  /** @default 2 */
  readonly workers?: number
  /** @default 60 */
  readonly timeoutMinutes?: number
  /** How many runs there may be at once. @default 10 */
  readonly maxConcurrentRuns?: number
  /** What every run is told besides the arguments of its call. */
  readonly arguments?: Readonly<Record<string, string>>
  /** What it may do with the app's buckets and tables. */
  readonly grants: readonly (
    | { readonly bucket: string; readonly may: readonly BucketAccess[] }
    | { readonly table: string; readonly may: readonly TableAccess[] }
  )[]
  /** What its script calls, of all that the grants would allow: `s3:GetObject`. @default what is usual */
  readonly actions?: readonly string[]
}

/** A database of Glue's catalog, which workflows write tables into. */
export interface CatalogDatabase {
  /** Letters, digits and underscores: Athena takes no others. */
  readonly databaseName: string
}
