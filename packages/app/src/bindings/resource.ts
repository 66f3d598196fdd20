import type { BucketAccess, QueueAccess, TableAccess, WorkflowAccess } from '../function.ts'
import type {
  Bucket,
  CatalogDatabase,
  ConfigurationSet,
  GlueJob,
  Queue,
  Secret,
  Table,
} from '../resources.ts'

/** What a function may do with each kind of resource. Those with `never` have one use only. */
export interface Rights {
  readonly bucket: BucketAccess
  readonly table: TableAccess
  readonly queue: QueueAccess
  readonly deadLetterQueue: QueueAccess
  readonly workflow: WorkflowAccess
  readonly function: 'invoke'
  readonly configurationSet: 'send'
  readonly secret: never
  readonly database: never
  readonly api: never
}

/** Those without rights are used by definitions only. */
export type ResourceKind = keyof Rights | 'glueJob' | 'catalogDatabase'

/** Something an app has, as a value. Its name is part of what is deployed: renaming the constant changes nothing. */
export interface AppResource<Kind extends ResourceKind = ResourceKind> {
  readonly kind: Kind
  readonly name: string
}

/** A resource with what its declaration says. */
export interface DeclaredResource<Kind extends ResourceKind, Options> extends AppResource<Kind> {
  readonly options: Options
}

export type BucketResource = DeclaredResource<'bucket', Bucket>
export type TableResource = DeclaredResource<'table', Table>
export type QueueResource = DeclaredResource<'queue', Queue>
export type SecretResource = DeclaredResource<'secret', Secret>
export type ConfigurationSetResource = DeclaredResource<'configurationSet', ConfigurationSet>
export type GlueJobResource = DeclaredResource<'glueJob', GlueJob>
export type CatalogDatabaseResource = DeclaredResource<'catalogDatabase', CatalogDatabase>

export function bucket(name: string, options: Bucket = {}): BucketResource {
  return { kind: 'bucket', name, options }
}

/** A DynamoDB table, as the packages' `xTable({ tableName })` describe it. */
export function table(name: string, options: Table): TableResource {
  return { kind: 'table', name, options }
}

export function queue(name: string, options: Queue = {}): QueueResource {
  return { kind: 'queue', name, options }
}

/** The dead-letter queue that every queue has. */
export function deadLettersOf({ name }: QueueResource): AppResource<'deadLetterQueue'> {
  return { kind: 'deadLetterQueue', name }
}

export function secret(name: string, options: Secret): SecretResource {
  return { kind: 'secret', name, options }
}

/** A configuration set of SES. */
export function configurationSet(name: string, options: ConfigurationSet = {}): ConfigurationSetResource {
  return { kind: 'configurationSet', name, options }
}

export interface GlueJobOptions extends Omit<GlueJob, 'grants'> {
  /** What it may do with the app's buckets and tables: `[[raw, 'read'], [locks, 'write']]`. */
  readonly grants: readonly (
    | readonly [BucketResource, ...Rights['bucket'][]]
    | readonly [TableResource, ...Rights['table'][]]
  )[]
}

/** A Spark job of AWS Glue; a stand-in of `glue:startJobRun` does its work on one machine. */
export function glueJob(name: string, { grants, ...options }: GlueJobOptions): GlueJobResource {
  const lowered = grants.map(([{ kind, name: of }, ...may]) => ({ [kind]: of, may }))
  return { kind: 'glueJob', name, options: { ...options, grants: lowered as unknown as GlueJob['grants'] } }
}

/** A database of Glue's catalog, for the `substitutions` of workflows that write tables into it. */
export function catalogDatabase(name: string, options: CatalogDatabase): CatalogDatabaseResource {
  return { kind: 'catalogDatabase', name, options }
}

/** The app's PostgreSQL database. */
export function database(): AppResource<'database'> {
  return { kind: 'database', name: 'database' }
}

/** A state machine. Its definition and input schema belong to the app: a function's bundle does not need them. */
export function workflow(name: string): AppResource<'workflow'> {
  return { kind: 'workflow', name }
}

/** The app's own routes and site. */
export function api(): AppResource<'api'> {
  return { kind: 'api', name: 'api' }
}
