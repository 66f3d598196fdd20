import { createAuditLog, parseAuditKeys } from '@stepwright/audit-log'
import { createBatchWriter } from '@stepwright/batch-writer'
import { createChunkReader } from '@stepwright/csv-chunker/tasks'
import { ValidationError } from '@stepwright/errors'
import type { StartExecutionPorts } from '@stepwright/idempotency/tasks'
import type { S3ObjectStore } from '@stepwright/object-store/s3'
import type { MigrateDatabasePorts } from '@stepwright/postgres/migrations'
import { createFailurePorts } from './handle-failure.ts'
import { createOutcomesOf } from './outcomes.ts'
import type { CsvProcessorPorts } from './ports.ts'
import { withRecentRanges } from './recent-ranges.ts'
import type { DatabaseSettings, ProcessorSettings, StarterSettings } from './settings.ts'
import {
  contributionColumns,
  contributionConflict,
  type Database,
  ledgerTable,
  redactUsers,
} from './user-activity.ts'

/** A Lambda needs one connection; a process of the local cloud as many as a Map has children. */
const maxConnections = 5
/** Then the state machine waits and tries again: a database that is gone is found out soon. */
const retryForMs = 5_000
const daySeconds = 86_400
/** What a batch of the largest chunks has is one block: one call to DynamoDB. */
const auditBlockSize = 5_000

// SDKs and drivers are loaded when the first event has come: a function starts the sooner.

export async function composeProcessor(settings: ProcessorSettings): Promise<CsvProcessorPorts> {
  const [
    { createPostgresPool },
    { createPostgresChunkLedger, createPostgresRowSink },
    { createS3ObjectStore },
    { createDynamoDbAuditStore },
    { DynamoDBClient },
  ] = await Promise.all([
    import('@stepwright/postgres'),
    import('@stepwright/batch-writer/postgres'),
    import('@stepwright/object-store/s3'),
    import('@stepwright/audit-log/dynamodb'),
    import('./sdk/dynamodb.ts'),
  ])
  const pool = createPostgresPool({ connectionString: settings.DATABASE_URL, concurrency: maxConnections })
  const sink = createPostgresRowSink<Database, 'user_contribution'>({
    pool,
    tableName: 'user_contribution',
    columns: contributionColumns,
    conflict: contributionConflict,
    ledgerTableName: ledgerTable,
  })
  const stores = new Map<string, S3ObjectStore>()
  const storeOf = (bucket: string | undefined): S3ObjectStore => {
    if (bucket === undefined) throw new ValidationError('the event names no bucket')
    const store = stores.get(bucket) ?? withRecentRanges(createS3ObjectStore({ bucket }))
    stores.set(bucket, store)
    return store
  }
  const ledger = createPostgresChunkLedger({ pool, tableName: ledgerTable })
  const readChunk = createChunkReader({ storeOf })
  return {
    storeOf,
    ledger,
    readChunk,
    // Every bad row of a chunk is set apart; how many are too many is a question of the whole file.
    writer: createBatchWriter({ sink, maxRejected: Number.MAX_SAFE_INTEGER, retryForMs }),
    outcomesOf: createOutcomesOf({ ledger, readChunk }),
    ...createFailurePorts({ storeOf, ledger, readChunk }),
    audit: createAuditLog({
      store: createDynamoDbAuditStore({
        client: new DynamoDBClient({}),
        tableName: settings.AUDIT_TABLE_NAME,
      }),
      keys: parseAuditKeys(settings.AUDIT_KEYS),
      redact: redactUsers,
      ttlSeconds: settings.AUDIT_DAYS * daySeconds,
      blockSize: auditBlockSize,
    }),
  }
}

export async function composeStarter(settings: StarterSettings): Promise<StartExecutionPorts> {
  const [{ createWorkflowExecutions }, { createStepFunctionsExecutions }, { SFNClient }] = await Promise.all([
    import('@stepwright/idempotency'),
    import('@stepwright/idempotency/step-functions'),
    import('./sdk/step-functions.ts'),
  ])
  const executions = createStepFunctionsExecutions({ client: () => new SFNClient({}) })
  return { workflow: createWorkflowExecutions({ executions, stateMachineArn: settings.STATE_MACHINE_ARN }) }
}

export async function composeMigrations(settings: DatabaseSettings): Promise<MigrateDatabasePorts> {
  const [{ createPostgresPool }, { Kysely, PostgresDialect }] = await Promise.all([
    import('@stepwright/postgres'),
    import('./query-builder.ts'),
  ])
  const pool = createPostgresPool({
    connectionString: settings.DATABASE_URL,
    applicationName: 'csv-processor-migrations',
  })
  return { db: new Kysely({ dialect: new PostgresDialect({ pool }) }) }
}
