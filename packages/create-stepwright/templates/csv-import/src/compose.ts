import { SFNClient } from '@aws-sdk/client-sfn'
import { createBatchWriter } from '@stepwright/batch-writer'
import {
  createPostgresChunkLedger,
  createPostgresPool,
  createPostgresRowSink,
} from '@stepwright/batch-writer/postgres'
import { createChunkReader } from '@stepwright/csv-chunker/tasks'
import { createStepFunctionsExecutions } from '@stepwright/idempotency/step-functions'
import { createS3ObjectStore } from '@stepwright/object-store/s3'
import { Kysely, PostgresDialect } from 'kysely'
import type * as z from 'zod/mini'
import type { Contact } from './contact.ts'
import type { databaseSettings, splitSettings, startSettings, writeSettings } from './settings.ts'

/** From the settings to what the tasks need: the only place where clients are made. */

export function composeMigrations({ DATABASE_URL }: z.infer<typeof databaseSettings>) {
  const pool = createPostgresPool({ connectionString: DATABASE_URL })
  return { db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }) }
}

export function composeStart({ IMPORT_ARN }: z.infer<typeof startSettings>) {
  return {
    executions: createStepFunctionsExecutions({ client: () => new SFNClient({}) }),
    stateMachineArn: IMPORT_ARN,
  }
}

export function composeSplit({ BUCKET_NAME }: z.infer<typeof splitSettings>) {
  const store = createS3ObjectStore({ bucket: BUCKET_NAME })
  return { storeOf: () => store }
}

export function composeWrite(settings: z.infer<typeof writeSettings>) {
  const pool = createPostgresPool({ connectionString: settings.DATABASE_URL, concurrency: 5 })
  const sink = createPostgresRowSink<{ contact: Contact }, 'contact'>({
    pool,
    tableName: 'contact',
    columns: ['email', 'name'],
    conflict: { mode: 'ignore', key: ['email'] },
  })
  return { writer: createBatchWriter({ sink }), readChunk: createChunkReader(composeSplit(settings)) }
}

export function composeSummary({ DATABASE_URL }: z.infer<typeof databaseSettings>) {
  const pool = createPostgresPool({ connectionString: DATABASE_URL })
  return { ledger: createPostgresChunkLedger({ pool }) }
}
