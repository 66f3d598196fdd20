import { type BatchWriter, type ChunkLedger, createBatchWriter } from '@stepwright/batch-writer'
import type { PurgeRowsPorts } from '@stepwright/batch-writer/tasks'
import { type CsvPorts, createChunkReader, readManifest } from '@stepwright/csv-chunker/tasks'
import { sleep } from '@stepwright/errors/retry'
import type { Executions } from '@stepwright/idempotency'
import type { StartExecutionPorts } from '@stepwright/idempotency/tasks'
import { createUnsubscribeTokens, type Suppressions, type UnsubscribeTokens } from '@stepwright/mail'
import type { RecordMailEventsPorts } from '@stepwright/mail/tasks'
import type { S3ObjectStore } from '@stepwright/object-store/s3'
import type { PresignUploadPorts } from '@stepwright/object-store/tasks'
import type { PostgresPool } from '@stepwright/postgres'
import type { MigrateDatabasePorts } from '@stepwright/postgres/migrations'
import type { PortsOf } from '@stepwright/task'
import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import type { Campaigns, Recipients } from './campaigns.ts'
import type { Database, RecipientRow } from './database.ts'
import type { FinalizePorts } from './finalize-import.ts'
import { type importRecipients, maxRejectedRows, rowsPerChunk } from './import-tasks.ts'
import type { RegisterPorts } from './register-campaign.ts'
import type { SendPorts } from './send-batch.ts'
import type * as settings from './settings.ts'
import type { ShowPorts } from './show-campaign.ts'
import type { SweepPorts } from './sweep-campaigns.ts'

// What is heavy to load is imported when it is first used: the function that imports chunks, of which five start at
// once, needs neither Step Functions nor SES nor a query builder.

type Of<Name extends keyof typeof settings> = z.infer<(typeof settings)[Name]>

/** On Lambda a process takes one event at a time and opens one; on one machine functions share a process. */
const maxConnections = 8

export async function campaignPorts(
  given: Of<'databaseSettings'>,
): Promise<{ campaigns: Campaigns; recipients: Recipients }> {
  const { createPostgresCampaigns } = await import('./postgres-campaigns.ts')
  const { createPostgresRecipients } = await import('./postgres-recipients.ts')
  const db: Kysely<Database> = await openDatabase(given)
  return { campaigns: createPostgresCampaigns(db), recipients: createPostgresRecipients(db) }
}

export async function writerPorts(
  given: Of<'databaseSettings'>,
): Promise<{ writer: BatchWriter<RecipientRow> }> {
  const { createPostgresRowSink } = await import('@stepwright/batch-writer/postgres')
  const sink = createPostgresRowSink<Pick<Database, 'notification_recipients'>, 'notification_recipients'>({
    pool: await poolOf(given),
    tableName: 'notification_recipients',
    columns: ['campaign_id', 'revision', 'email', 'name', 'fields'],
    conflict: { mode: 'ignore', key: ['campaign_id', 'revision', 'email'] },
  })
  return { writer: createBatchWriter({ sink, batchSize: rowsPerChunk, maxRejected: maxRejectedRows }) }
}

export async function splitPorts(given: Of<'storeSettings'>): Promise<CsvPorts> {
  const store = await storeOf(given)
  return { storeOf: () => store }
}

export async function importPorts(given: Of<'dataSettings'>): Promise<PortsOf<typeof importRecipients>> {
  const { storeOf: store } = await splitPorts(given)
  return {
    ...(await writerPorts(given)),
    readChunk: createChunkReader({ storeOf: store, fileError: 'CSVValidationError' }),
  }
}

export async function ledgerPorts(given: Of<'databaseSettings'>): Promise<{ ledger: ChunkLedger }> {
  const { createPostgresChunkLedger } = await import('@stepwright/batch-writer/postgres')
  return { ledger: createPostgresChunkLedger({ pool: await poolOf(given) }) }
}

export async function finalizePorts(given: Of<'finalizeSettings'>): Promise<FinalizePorts> {
  return { ...(await campaignPorts(given)), sendArn: given.SEND_STATE_MACHINE_ARN }
}

export async function startPorts(given: Of<'startSettings'>): Promise<StartExecutionPorts> {
  const { createWorkflowExecutions } = await import('@stepwright/idempotency')
  return {
    workflow: createWorkflowExecutions({
      executions: await openExecutions(),
      stateMachineArn: given.SEND_STATE_MACHINE_ARN,
    }),
  }
}

export async function sweepPorts(given: Of<'sweepSettings'>): Promise<SweepPorts> {
  const [importArn, sendArn] = [given.IMPORT_STATE_MACHINE_ARN, given.SEND_STATE_MACHINE_ARN]
  return {
    ...(await campaignPorts(given)),
    workflows: { executions: await openExecutions(), importArn, sendArn },
  }
}

export async function registerPorts(given: Of<'registerSettings'>): Promise<RegisterPorts> {
  const senders = given.ALLOWED_SENDERS.split(',').map(sender => sender.trim())
  return { ...(await sweepPorts(given)), store: await storeOf(given), senders }
}

export async function showPorts(given: Of<'dataSettings'>): Promise<ShowPorts> {
  const store = await storeOf(given)
  return {
    ...(await campaignPorts(given)),
    ...(await ledgerPorts(given)),
    rowCountOf: async id => (await readManifest(store, `chunks/${id}/manifest.json`))?.rowCount,
  }
}

export async function uploadPorts(given: Of<'dataSettings'>): Promise<PresignUploadPorts> {
  const { campaigns } = await campaignPorts(given)
  const store = await storeOf(given)
  return { storeOf: () => store, remember: campaigns.recordUpload }
}

export async function sendPorts(given: Of<'sendSettings'>): Promise<SendPorts> {
  const { createSesMailer } = await import('@stepwright/mail/ses')
  return {
    ...(await campaignPorts(given)),
    tokens: (await unsubscribePorts(given)).tokens,
    mailer: createSesMailer({ configurationSet: given.CONFIGURATION_SET }),
    publicUrl: given.PUBLIC_URL.replace(/\/$/, ''),
    maxSendRate: given.MAX_SEND_RATE,
    sleep,
  }
}

export async function unsubscribePorts(
  given: Of<'unsubscribeSettings'>,
): Promise<{ suppressions: Suppressions; tokens: UnsubscribeTokens }> {
  const keys = given.UNSUBSCRIBE_KEYS.split(',').map(key => Buffer.from(key, 'base64'))
  return { ...(await suppressionPorts(given)), tokens: createUnsubscribeTokens(keys) }
}

export async function mailEventPorts(given: Of<'databaseSettings'>): Promise<RecordMailEventsPorts> {
  const { recipients } = await campaignPorts(given)
  return { ...(await suppressionPorts(given)), recordEvents: recipients.recordEvents }
}

export async function purgePorts(given: Of<'databaseSettings'>): Promise<PurgeRowsPorts> {
  const { createRecipientPurge } = await import('./postgres-recipients.ts')
  return { purge: createRecipientPurge(await openDatabase(given)) }
}

export async function migratePorts(given: Of<'databaseSettings'>): Promise<MigrateDatabasePorts> {
  return { db: await openDatabase(given) }
}

async function suppressionPorts(given: Of<'databaseSettings'>): Promise<{ suppressions: Suppressions }> {
  const { createPostgresSuppressions } = await import('@stepwright/mail/postgres')
  return { suppressions: createPostgresSuppressions({ pool: await poolOf(given) }) }
}

/** One for all functions of a process. */
async function poolOf({ DATABASE_URL: connectionString }: Of<'databaseSettings'>): Promise<PostgresPool> {
  const { sharedPostgresPool } = await import('@stepwright/postgres')
  return sharedPostgresPool({
    connectionString,
    concurrency: maxConnections,
    applicationName: 'campaign-import',
  })
}

async function openDatabase<Tables>(given: Of<'databaseSettings'>): Promise<Kysely<Tables>> {
  const { Kysely, PostgresDialect } = await import('./query-builder.ts')
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: await poolOf(given) }) })
}

async function storeOf({ BUCKET_NAME: bucket }: Of<'storeSettings'>): Promise<S3ObjectStore> {
  const { createS3ObjectStore } = await import('@stepwright/object-store/s3')
  return createS3ObjectStore({ bucket })
}

async function openExecutions(): Promise<Executions> {
  const { SFNClient } = await import('@aws-sdk/client-sfn')
  const { createStepFunctionsExecutions } = await import('@stepwright/idempotency/step-functions')
  return createStepFunctionsExecutions({ client: () => new SFNClient({}) })
}
