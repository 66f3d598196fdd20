import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import {
  type AuditEntry,
  type AuditLog,
  type AuditLogOptions,
  createAuditLog,
  parseAuditKeys,
} from '@stepwright/audit-log'
import { createDynamoDbAuditStore } from '@stepwright/audit-log/dynamodb'
import { type ExecutionEnd, type RunningApp, type StartAppOptions, startApp } from '@stepwright/local-cloud'
import pg from 'pg'
import { app } from '../app.ts'

/** The app on this machine, with ways to look into it. */
export interface RunningWorld extends AsyncDisposable {
  readonly running: RunningApp
  /** Where the trails are, and what signs them. */
  readonly trail: AuditLogOptions
  readonly audit: AuditLog
  readonly pool: pg.Pool
  /** Every execution that was started, by name. */
  readonly started: ReadonlySet<string>
  /** Puts an object, which starts an execution, and waits for its end. */
  process(key: string, body: string | Uint8Array): Promise<ExecutionEnd>
  put(key: string, body: string | Uint8Array): Promise<void>
  entries(executionId: string): Promise<AuditEntry[]>
  /** Logins and posts by user. */
  activity(): Promise<Map<string, [number, number]>>
  readOutput(key: string): Promise<string>
}

export async function startWorld(options: StartAppOptions = {}): Promise<RunningWorld> {
  const started = new Set<string>()
  const running = await startApp(app, {
    environment: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
    enforcePolicies: true,
    ...options,
    onStatusChange: ({ detail }) => void started.add(detail.name),
  })
  const { services, names } = running
  const s3 = new S3Client(clientConfig(services.s3))
  const dynamoDb = new DynamoDBClient(clientConfig(services.dynamoDb))
  const { AUDIT_TABLE = '', AUDIT_KEYS_SECRET = '' } = running.environmentOf('CsvProcessor')
  const trail = {
    store: createDynamoDbAuditStore({ client: dynamoDb, tableName: AUDIT_TABLE }),
    keys: parseAuditKeys(AUDIT_KEYS_SECRET),
    sealKeys: parseAuditKeys(running.environmentOf('SealTrail')['SEAL_KEYS_SECRET'] ?? ''),
  }
  const audit = createAuditLog(trail)
  const pool = new pg.Pool({ connectionString: services.postgres.url, max: 2 })
  pool.on('error', () => {})

  const put = async (key: string, body: string | Uint8Array): Promise<void> => {
    await s3.send(new PutObjectCommand({ Bucket: names.buckets['input'], Key: key, Body: body }))
  }
  return {
    running,
    trail,
    audit,
    pool,
    started,
    put,
    async process(key, body) {
      const end = running.ended('process')
      await put(key, body)
      return end
    },
    async entries(executionId) {
      const found: AuditEntry[] = []
      for await (const entry of audit.entries({ executionId })) found.push(entry)
      return found
    },
    async activity() {
      const { rows } = await pool.query('select user_id, login_count, post_count from user_activity')
      return new Map(rows.map(row => [row.user_id, [Number(row.login_count), Number(row.post_count)]]))
    },
    async readOutput(key) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: names.buckets['output'], Key: key }))
      return (await Body?.transformToString()) ?? ''
    },
    async [Symbol.asyncDispose]() {
      await pool.end()
      s3.destroy()
      dynamoDb.destroy()
      await running.stop()
    },
  }
}

/** The part of a local service that its client needs. */
function clientConfig<C>({
  endpoint,
  region,
  credentials,
}: {
  readonly endpoint: string
  readonly region: string
  readonly credentials: C
}): { endpoint: string; region: string; credentials: C } {
  return { endpoint, region, credentials }
}
