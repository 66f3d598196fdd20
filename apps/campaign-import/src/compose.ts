import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createBatchWriter } from '@stepwright/batch-writer'
import { createPostgresPool, createPostgresRowSink } from '@stepwright/batch-writer/postgres'
import type { S3ObjectStore } from '@stepwright/object-store/s3'
import type { Pool } from 'pg'
import type { Campaigns, Recipients } from './campaigns.ts'
import { rowsPerChunk } from './chunk.ts'
import type { Database } from './database.ts'
import type { RecipientPorts } from './delete-existing-recipients.ts'
import type { FinalizePorts } from './finalize-import.ts'
import type { ImportPorts } from './import-recipients.ts'
import { createManifestReader } from './manifest-reader.ts'
import type { RegisterPorts } from './register-campaign.ts'
import type { UploadPorts } from './request-upload.ts'
import type { SendPorts } from './send-batch.ts'
import type { SplitPorts } from './split-recipients.ts'
import type { Workflows } from './workflows.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The ports of every handler, each built when it is first asked for. */
export interface App {
  readonly recipientPorts: () => Promise<RecipientPorts>
  readonly splitPorts: () => Promise<SplitPorts>
  readonly importPorts: () => Promise<ImportPorts>
  readonly finalizePorts: () => Promise<FinalizePorts>
  readonly sendPorts: () => Promise<SendPorts>
  readonly uploadPorts: () => Promise<UploadPorts>
  readonly registerPorts: () => Promise<RegisterPorts>
  readonly close: () => Promise<void>
}

const maxRejectedRows = 1000

/**
 * Builds real clients from the environment. What is heavy to load is imported when it is first used: the function
 * that imports chunks, of which five start at once, needs neither Step Functions nor SES nor a query builder.
 */
export function compose(environment: Environment): App {
  const setting = (name: string): string => {
    const value = environment[name]
    if (value) return value
    throw new TypeError(`the environment variable ${name} is not set`)
  }
  const number = (name: string, otherwise: number): number => Number(environment[name] ?? otherwise)
  const closing: (() => unknown)[] = []

  const pool = once((): Pool => {
    const made = createPostgresPool({
      connectionString: setting('DATABASE_URL'),
      concurrency: number('DATABASE_CONNECTIONS', 1),
      applicationName: 'campaign-import',
    })
    closing.push(() => made.end())
    return made
  })
  const store = once(async (): Promise<S3ObjectStore> => {
    const { createS3ObjectStore } = await import('@stepwright/object-store/s3')
    const made = createS3ObjectStore({ bucket: setting('BUCKET_NAME') })
    closing.push(() => made.close())
    return made
  })
  const database = once(async (): Promise<{ campaigns: Campaigns; recipients: Recipients }> => {
    const { openDatabase } = await import('./open-database.ts')
    return openDatabase(pool())
  })
  const workflows = once(async (): Promise<Workflows> => {
    const { createSfnWorkflows } = await import('./sfn-workflows.ts')
    return createSfnWorkflows({
      importArn: setting('IMPORT_STATE_MACHINE_ARN'),
      sendArn: setting('SEND_STATE_MACHINE_ARN'),
    })
  })

  return {
    recipientPorts: database,
    async splitPorts() {
      return { campaigns: (await database()).campaigns, store: await store() }
    },
    async importPorts() {
      const sink = createPostgresRowSink<
        Pick<Database, 'notification_recipients'>,
        'notification_recipients'
      >({
        pool: pool(),
        tableName: 'notification_recipients',
        columns: ['campaign_id', 'revision', 'email', 'name'],
        conflict: { mode: 'ignore', key: ['campaign_id', 'revision', 'email'] },
      })
      const writer = createBatchWriter({ sink, batchSize: rowsPerChunk, maxRejected: maxRejectedRows })
      const objects = await store()
      return { store: objects, readManifest: createManifestReader(objects), writer }
    },
    async finalizePorts() {
      return { ...(await database()), workflows: await workflows(), maxRejectedRows }
    },
    async sendPorts() {
      const { createSesMailer } = await import('./ses-mailer.ts')
      return {
        ...(await database()),
        mailer: createSesMailer(),
        maxSendRate: number('MAX_SEND_RATE', 14),
        sleep: async (ms, signal) => wait(ms, undefined, { signal }),
      }
    },
    async uploadPorts() {
      return { campaigns: (await database()).campaigns, store: await store(), uuid: randomUUID }
    },
    async registerPorts() {
      return {
        campaigns: (await database()).campaigns,
        store: await store(),
        workflows: await workflows(),
      }
    },
    async close() {
      await Promise.all(closing.splice(0).map(end => end()))
    },
  }
}

function once<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined
  return () => {
    built ??= { value: build() }
    return built.value
  }
}
