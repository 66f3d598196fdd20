import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createAuditLog, parseAuditKeys } from '@stepwright/audit-log'
import { createDynamoDbAuditStore } from '@stepwright/audit-log/dynamodb'
import { createBatchWriter } from '@stepwright/batch-writer'
import { createPostgresPool, createPostgresRowSink } from '@stepwright/batch-writer/postgres'
import { ValidationError } from '@stepwright/errors'
import { createS3ObjectStore, type S3ObjectStore } from '@stepwright/object-store/s3'
import { Kysely, PostgresDialect } from 'kysely'
import { createChunkLedger } from './chunk-ledger.ts'
import { type Database, ledgerTable } from './database.ts'
import type { CsvProcessorPorts } from './ports.ts'
import type { DatabaseSettings, ProcessorSettings, StarterSettings } from './settings.ts'
import type { Executions } from './start-processing.ts'
import { createStepFunctionsExecutions } from './step-functions-executions.ts'
import { userActivityColumns, userActivityConflict } from './user-activity.ts'

/** A Lambda takes one call at a time, and needs one connection; a process of the local cloud as many as a Map has children. */
const maxConnections = 5

export function composeProcessor(settings: ProcessorSettings): CsvProcessorPorts {
  const sink = createPostgresRowSink<Database, 'user_activity'>({
    pool: createPostgresPool({ connectionString: settings.DATABASE_URL, concurrency: maxConnections }),
    tableName: 'user_activity',
    columns: userActivityColumns,
    conflict: userActivityConflict,
    ledgerTableName: ledgerTable,
  })
  const stores = new Map<string, S3ObjectStore>()
  return {
    // Every bad row of a chunk is set apart; how many are too many is a question of the whole file.
    writer: createBatchWriter({ sink, maxRejected: Number.MAX_SAFE_INTEGER }),
    ledger: createChunkLedger(sink),
    audit: createAuditLog({
      store: createDynamoDbAuditStore({
        client: new DynamoDBClient({}),
        tableName: settings.AUDIT_TABLE_NAME,
      }),
      keys: parseAuditKeys(settings.AUDIT_KEYS),
    }),
    storeOf(bucket) {
      if (bucket === undefined) throw new ValidationError('the event names no bucket')
      const store = stores.get(bucket) ?? createS3ObjectStore({ bucket })
      stores.set(bucket, store)
      return store
    },
  }
}

export function composeStarter(settings: StarterSettings): { readonly executions: Executions } {
  return { executions: createStepFunctionsExecutions(settings.STATE_MACHINE_ARN) }
}

export function composeMigrations(settings: DatabaseSettings): { readonly db: Kysely<unknown> } {
  const pool = createPostgresPool({
    connectionString: settings.DATABASE_URL,
    applicationName: 'csv-processor-migrations',
  })
  return { db: new Kysely({ dialect: new PostgresDialect({ pool }) }) }
}
