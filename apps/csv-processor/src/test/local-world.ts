import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import type { AuditEntry } from '@stepwright/audit-log'
import { type LocalCloud, type LocalCloudOptions, startLocalCloud } from '@stepwright/local-cloud'
import { readText } from '@stepwright/object-store'
import pg from 'pg'
import type { ComposedPorts } from '../compose.ts'
import {
  composeLocally,
  inputBucket,
  type LocalCloudChanges,
  localCloud,
  outputBucket,
  stateMachineName,
} from '../local.ts'

type StatusChange = Parameters<NonNullable<LocalCloudOptions['onStatusChange']>>[0]

/** How an execution ended. */
export type Ended = StatusChange['detail']

/** The app on the local cloud, with ways to look into it. */
export interface LocalWorld extends AsyncDisposable {
  readonly cloud: LocalCloud
  readonly ports: ComposedPorts
  readonly pool: pg.Pool
  /** Every execution that was started, by name. */
  readonly started: ReadonlySet<string>
  /** Puts an object, which starts an execution, and waits for its end. */
  process(key: string, body: string | Uint8Array): Promise<Ended>
  put(key: string, body: string | Uint8Array): Promise<void>
  /** Starts an execution as EventBridge does. */
  start(event: unknown, name: string): Promise<void>
  /** The next execution that ends after this call, or the one of this name. */
  ended(name?: string): Promise<Ended>
  entries(executionId: string): Promise<AuditEntry[]>
  /** Logins and posts by user. */
  activity(): Promise<Map<string, [number, number]>>
  readOutput(key: string): Promise<string>
}

export async function startLocalWorld(changes: LocalCloudChanges = {}): Promise<LocalWorld> {
  const started = new Set<string>()
  const ends = new Map<string, Ended>()
  const waiting = new Set<{ name: string | undefined; resolve: (end: Ended) => void }>()
  const { prepare, ...options } = localCloud(changes)
  const cloud = await startLocalCloud({
    ...options,
    postgres: { databaseUrl: '' },
    onStatusChange({ detail }) {
      started.add(detail.name)
      if (detail.status === 'RUNNING') return
      ends.set(detail.name, detail)
      for (const one of waiting) {
        if (one.name !== undefined && one.name !== detail.name) continue
        waiting.delete(one)
        one.resolve(detail)
      }
    },
  })
  await prepare?.(cloud)
  const s3 = new S3Client({})
  const sfn = new SFNClient({})
  const ports = composeLocally()
  const pool = new pg.Pool({ connectionString: cloud.postgres.url, max: 2 })
  pool.on('error', () => {})

  const ended = (name?: string): Promise<Ended> => {
    const known = name === undefined ? undefined : ends.get(name)
    return known ? Promise.resolve(known) : new Promise(resolve => waiting.add({ name, resolve }))
  }
  const put = async (key: string, body: string | Uint8Array): Promise<void> => {
    await s3.send(new PutObjectCommand({ Bucket: inputBucket, Key: key, Body: body }))
  }
  return {
    cloud,
    ports,
    pool,
    started,
    put,
    ended,
    async process(key, body) {
      const end = ended()
      await put(key, body)
      return end
    },
    async start(event, name) {
      const stateMachineArn = cloud.stateMachineArn(stateMachineName)
      await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(event) }))
    },
    async entries(executionId) {
      const found: AuditEntry[] = []
      for await (const entry of ports.audit.entries({ executionId })) found.push(entry)
      return found
    },
    async activity() {
      const { rows } = await pool.query('select user_id, login_count, post_count from user_activity')
      return new Map(rows.map(row => [row.user_id, [Number(row.login_count), Number(row.post_count)]]))
    },
    readOutput: async key => readText(await ports.storeOf(outputBucket).get(key)),
    async [Symbol.asyncDispose]() {
      await pool.end()
      await ports[Symbol.asyncDispose]()
      s3.destroy()
      sfn.destroy()
      await cloud.stop()
    },
  }
}
