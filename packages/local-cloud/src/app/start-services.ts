import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { App, PhysicalNames } from '@stepwright/app'
import { type DynamoDb, startDynamoDb } from '@stepwright/local-dynamodb'
import type { PublishedEvent } from '@stepwright/local-eventbridge'
import { type Postgres, startPostgres } from '@stepwright/local-postgres'
import { type S3, startS3 } from '@stepwright/local-s3'
import { type Sqs, startSqs } from '@stepwright/local-sqs'
import { type Mailbox, type MailboxOptions, startMailbox } from '../mailbox.ts'
import type { LocalRoles } from '../roles/local-roles.ts'
import { noDatabase } from './no-database.ts'
import { portsFrom } from './ports.ts'

/** What an app's functions talk to. */
export interface LocalServices {
  /** Started for an app that declares a database; any use of it is refused otherwise. */
  readonly postgres: Postgres
  readonly s3: S3
  readonly dynamoDb: DynamoDb
  readonly sqs: Sqs
  readonly mailbox: Mailbox
}

/** What delays, visibility, schedules and the tries of asynchronous calls go by. */
export interface LocalClock {
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export interface ServiceOptions {
  /** Where everything outlives `stop()`, and a kill. @default nothing does */
  readonly dataDirectory?: string
  /** A PostgreSQL of your own, whose tables are then migrated. @default one is started */
  readonly databaseUrl?: string
  readonly mailbox?: MailboxOptions
  /** The gateway's port; the services have those after it, each always the same. @default any free ones */
  readonly firstPort?: number
  /** For queues, schedules and asynchronous calls, so that tests need not wait. @default that of the machine */
  readonly clock?: LocalClock
}

export async function startServices(
  { resources = {}, database }: App,
  names: PhysicalNames,
  {
    dataDirectory,
    databaseUrl = '',
    mailbox,
    clock,
    firstPort,
    publish,
  }: ServiceOptions & { readonly publish: (event: PublishedEvent) => void },
  started: AsyncDisposableStack,
  roles?: LocalRoles,
): Promise<LocalServices> {
  const portOf = portsFrom(firstPort)
  const keep = (name: string) => dataDirectory !== undefined && { dataDirectory: join(dataDirectory, name) }
  if (dataDirectory !== undefined) {
    await mkdir(join(dataDirectory, 'step-functions'), { recursive: true, mode: 0o700 })
  }
  const declared = Object.entries(resources.buckets ?? {}).map(
    ([name, { corsOrigins = [] }]) => [names.buckets[name] as string, corsOrigins] as const,
  )
  const buckets = declared.map(([name]) => name)
  const corsOrigins = Object.fromEntries(declared)
  const starting = {
    postgres: database
      ? startPostgres({ databaseUrl, ...portOf('postgres'), ...keep('postgres') })
      : noDatabase(),
    s3: startS3({
      buckets,
      corsOrigins,
      ...portOf('s3'),
      ...keep('s3'),
      ...(roles && { callers: roles.callers }),
    }).then(s3 => {
      s3.onObjectCreated(publish)
      return s3
    }),
    dynamoDb: startDynamoDb({
      ...portOf('dynamoDb'),
      ...keep('dynamodb'),
      ...(clock && { now: clock.now }),
      refusalOf: ({ accessKeyId, operation, input }) =>
        roles?.refusalOf(accessKeyId, 'aws-sdk:dynamodb', operation, input),
    }),
    sqs: startSqs({
      ...portOf('sqs'),
      ...keep('sqs'),
      ...clock,
      refusalOf: ({ accessKeyId, operation, input }) =>
        roles?.refusalOf(accessKeyId, 'aws-sdk:sqs', operation, input),
    }),
    mailbox: startMailbox({
      ...portOf('mailbox'),
      ...keep('mailbox'),
      refusalOf: accessKeyId => roles?.refusalOf(accessKeyId, 'aws-sdk:sesv2', 'SendEmail', {}),
      ...mailbox,
    }).then(started => {
      started.onEvent(publish)
      return started
    }),
  }
  const settled = await Promise.allSettled(Object.values(starting))
  for (const result of settled) if (result.status === 'fulfilled') started.use(result.value)
  return {
    postgres: await starting.postgres,
    s3: await starting.s3,
    dynamoDb: await starting.dynamoDb,
    sqs: await starting.sqs,
    mailbox: await starting.mailbox,
  }
}
