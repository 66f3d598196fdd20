import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createAuditLog, parseAuditKeys } from '@stepwright/audit-log'
import { createDynamoDbAuditStore } from '@stepwright/audit-log/dynamodb'
import { createBatchWriter } from '@stepwright/batch-writer'
import { createPostgresPool, createPostgresRowSink } from '@stepwright/batch-writer/postgres'
import { ValidationError } from '@stepwright/errors'
import { createS3ObjectStore, type S3ObjectStore } from '@stepwright/object-store/s3'
import { createChunkLedger } from './chunk-ledger.ts'
import { type Database, ledgerTable } from './database.ts'
import type { CsvProcessorPorts } from './ports.ts'
import type { Executions } from './start-processing.ts'
import { createStepFunctionsExecutions } from './step-functions-executions.ts'
import { userActivityColumns, userActivityConflict } from './user-activity.ts'

/** What the function is told by its deployment. */
export interface CsvProcessorSettings {
  readonly databaseUrl: string
  /** Invocations that run at the same time in one process; a Lambda has one. @default 1 */
  readonly databaseConnections?: number
  readonly auditTable: string
  /** `id:base64`, several separated by commas: the first signs, the others verify. */
  readonly auditKeys: string
}

/** Reads the settings from the function's environment. */
export function toSettings(environment: Environment): CsvProcessorSettings {
  return {
    databaseUrl: read(environment, 'DATABASE_URL'),
    databaseConnections: Number(environment['DATABASE_CONNECTIONS'] ?? 1),
    auditTable: read(environment, 'AUDIT_TABLE_NAME'),
    auditKeys: read(environment, 'AUDIT_KEYS'),
  }
}

type Environment = Readonly<Record<string, string | undefined>>

function read(environment: Environment, name: string): string {
  const value = environment[name]
  if (value) return value
  throw new ValidationError(`the environment variable ${name} is not set`)
}

/** Ports with an end, for those who start them more than once. */
export interface ComposedPorts extends CsvProcessorPorts, AsyncDisposable {}

/** The composition root: the only place where real clients are built. */
export function compose(settings: CsvProcessorSettings): ComposedPorts {
  const { databaseUrl, databaseConnections = 1, auditTable, auditKeys } = settings
  const pool = createPostgresPool({ connectionString: databaseUrl, concurrency: databaseConnections })
  const sink = createPostgresRowSink<Database, 'user_activity'>({
    pool,
    tableName: 'user_activity',
    columns: userActivityColumns,
    conflict: userActivityConflict,
    ledgerTableName: ledgerTable,
  })
  const dynamoDb = new DynamoDBClient({})
  const stores = new Map<string, S3ObjectStore>()
  return {
    // Every bad row of a chunk is set apart; how many are too many is a question of the whole file.
    writer: createBatchWriter({ sink, maxRejected: Number.MAX_SAFE_INTEGER }),
    ledger: createChunkLedger(sink),
    audit: createAuditLog({
      store: createDynamoDbAuditStore({ client: dynamoDb, tableName: auditTable }),
      keys: parseAuditKeys(auditKeys),
    }),
    storeOf(bucket) {
      if (bucket === undefined) throw new ValidationError('the event names no bucket')
      const store = stores.get(bucket) ?? createS3ObjectStore({ bucket })
      stores.set(bucket, store)
      return store
    },
    async [Symbol.asyncDispose]() {
      for (const store of stores.values()) store.close()
      dynamoDb.destroy()
      await pool.end()
    },
  }
}

/** The ports of the function that starts executions. */
export function composeStarter(environment: Environment): { readonly executions: Executions } {
  return { executions: createStepFunctionsExecutions(read(environment, 'STATE_MACHINE_ARN')) }
}
