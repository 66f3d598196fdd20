import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createBatchWriter } from '@stepwright/batch-writer'
import {
  createPostgresPool,
  createPostgresRowSink,
  type PostgresPool,
} from '@stepwright/batch-writer/postgres'
import type { S3ObjectStore } from '@stepwright/object-store/s3'
import { rowsPerChunk } from './chunk.ts'
import type { Database } from './database.ts'
import type { RecipientPorts } from './delete-existing-recipients.ts'
import type { FinalizePorts } from './finalize-import.ts'
import type { ImportPorts } from './import-recipients.ts'
import { createManifestReader } from './manifest-reader.ts'
import type { MigratePorts } from './migrate-database.ts'
import type { RegisterPorts } from './register-campaign.ts'
import type { UploadPorts } from './request-upload.ts'
import type { SendPorts } from './send-batch.ts'
import type {
  DatabaseSettings,
  FinalizeSettings,
  RegisterSettings,
  SendSettings,
  StoreSettings,
} from './settings.ts'
import type { SplitPorts } from './split-recipients.ts'

// What is heavy to load is imported when it is first used: the function that imports chunks, of which five start at
// once, needs neither Step Functions nor SES nor a query builder.

const maxRejectedRows = 1000
/** On Lambda a process takes one event at a time and opens one; on one machine functions share a process. */
const maxConnections = 8

export async function recipientPorts(settings: DatabaseSettings): Promise<RecipientPorts> {
  const { openDatabase } = await import('./open-database.ts')
  return openDatabase(poolOf(settings))
}

export async function splitPorts(settings: StoreSettings): Promise<SplitPorts> {
  return { ...(await recipientPorts(settings)), store: await storeOf(settings) }
}

export async function importPorts(settings: StoreSettings): Promise<ImportPorts> {
  const sink = createPostgresRowSink<Pick<Database, 'notification_recipients'>, 'notification_recipients'>({
    pool: poolOf(settings),
    tableName: 'notification_recipients',
    columns: ['campaign_id', 'revision', 'email', 'name'],
    conflict: { mode: 'ignore', key: ['campaign_id', 'revision', 'email'] },
  })
  const writer = createBatchWriter({ sink, batchSize: rowsPerChunk, maxRejected: maxRejectedRows })
  const store = await storeOf(settings)
  return { store, readManifest: createManifestReader(store), writer }
}

export async function finalizePorts(settings: FinalizeSettings): Promise<FinalizePorts> {
  const { createSfnWorkflows } = await import('./sfn-workflows.ts')
  const workflows = createSfnWorkflows({ importArn: '', sendArn: settings.SEND_STATE_MACHINE_ARN })
  return { ...(await recipientPorts(settings)), workflows, maxRejectedRows }
}

export async function sendPorts(settings: SendSettings): Promise<SendPorts> {
  const { createSesMailer } = await import('./ses-mailer.ts')
  return {
    ...(await recipientPorts(settings)),
    mailer: createSesMailer(),
    maxSendRate: settings.MAX_SEND_RATE,
    sleep: async (ms, signal) => wait(ms, undefined, { signal }),
  }
}

export async function uploadPorts(settings: StoreSettings): Promise<UploadPorts> {
  return { ...(await recipientPorts(settings)), store: await storeOf(settings), uuid: randomUUID }
}

export async function registerPorts(settings: RegisterSettings): Promise<RegisterPorts> {
  const { createSfnWorkflows } = await import('./sfn-workflows.ts')
  const workflows = createSfnWorkflows({
    importArn: settings.IMPORT_STATE_MACHINE_ARN,
    sendArn: settings.SEND_STATE_MACHINE_ARN,
  })
  return { ...(await recipientPorts(settings)), store: await storeOf(settings), workflows }
}

export function migratePorts({ DATABASE_URL }: DatabaseSettings): MigratePorts {
  return {
    async migrate() {
      const { migrateDatabase } = await import('./migrations.ts')
      await migrateDatabase(DATABASE_URL)
    },
  }
}

const pools = new Map<string, PostgresPool>()

/** One for all functions of a process. */
function poolOf({ DATABASE_URL: connectionString }: DatabaseSettings): PostgresPool {
  const pool =
    pools.get(connectionString) ??
    createPostgresPool({
      connectionString,
      concurrency: maxConnections,
      applicationName: 'campaign-import',
    })
  pools.set(connectionString, pool)
  return pool
}

async function storeOf({ BUCKET_NAME: bucket }: StoreSettings): Promise<S3ObjectStore> {
  const { createS3ObjectStore } = await import('@stepwright/object-store/s3')
  return createS3ObjectStore({ bucket })
}
