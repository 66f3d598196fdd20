import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SFNClient } from '@aws-sdk/client-sfn'
import { createAuditLog, parseAuditKeys } from '@stepwright/audit-log'
import { createDynamoDbAuditStore } from '@stepwright/audit-log/dynamodb'
import { createBatchWriter } from '@stepwright/batch-writer'
import { createPostgresChunkLedger, createPostgresRowSink } from '@stepwright/batch-writer/postgres'
import { createChunkReader } from '@stepwright/csv-chunker/tasks'
import { ValidationError } from '@stepwright/errors'
import { createStepFunctionsExecutions } from '@stepwright/idempotency/step-functions'
import type { StartExecutionPorts } from '@stepwright/idempotency/tasks'
import { createS3ObjectStore, type S3ObjectStore } from '@stepwright/object-store/s3'
import { createPostgresPool } from '@stepwright/postgres'
import type { MigrateDatabasePorts } from '@stepwright/postgres/migrations'
import { Kysely, PostgresDialect } from 'kysely'
import { createFailurePorts } from './handle-failure.ts'
import { createOutcomesOf } from './outcomes.ts'
import type { CsvProcessorPorts } from './ports.ts'
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

export function composeProcessor(settings: ProcessorSettings): CsvProcessorPorts {
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
    const store = stores.get(bucket) ?? createS3ObjectStore({ bucket })
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
    }),
  }
}

export function composeStarter(settings: StarterSettings): StartExecutionPorts {
  return {
    executions: createStepFunctionsExecutions({ client: () => new SFNClient({}) }),
    stateMachineArn: settings.STATE_MACHINE_ARN,
  }
}

export function composeMigrations(settings: DatabaseSettings): MigrateDatabasePorts {
  const pool = createPostgresPool({
    connectionString: settings.DATABASE_URL,
    applicationName: 'csv-processor-migrations',
  })
  return { db: new Kysely({ dialect: new PostgresDialect({ pool }) }) }
}
