import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { type RunningApp, startApp } from '@stepwright/local-cloud'
import { startPostgres } from '@stepwright/local-postgres'
import pg from 'pg'
import { benchApp } from './bench-app.ts'

/**
 * Checkpoints and vacuums at their own times would hit one contender and spare another. Of its memory a database
 * in production gives most to its buffers; 5,000,000 rows and their index do not fit into PostgreSQL's own 128 MB.
 */
const settings = {
  autovacuum: 'off',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  shared_buffers: '2GB',
}

/** The object that is imported. */
export interface Upload {
  readonly s3_key: string
  readonly s3_etag: string | undefined
}

/** The app and what a benchmark does with it. */
export interface Importing extends AsyncDisposable {
  readonly cloud: RunningApp
  readonly databaseUrl: string
  readonly pool: pg.Pool
  upload(file: string): Promise<Upload>
  /** A campaign whose import may begin. */
  campaign(): Promise<string>
  /** From StartExecution to the end of the execution: how many recipients it says there are. */
  execute(machine: 'import' | 'naive', campaignId: string, upload: Upload): Promise<number>
}

export async function openImporting(): Promise<Importing> {
  const postgres = await startPostgres({ databaseUrl: '', settings })
  const cloud = await startApp(benchApp, {
    databaseUrl: postgres.url,
    environment: { POWERTOOLS_LOG_LEVEL: 'CRITICAL' },
  })
  const { endpoint, region, credentials } = cloud.services.s3
  const s3 = new S3Client({ endpoint, region, credentials })
  const pool = new pg.Pool({ connectionString: postgres.url, max: 1 })
  pool.on('error', () => {}) // when the server stops first
  return {
    cloud,
    databaseUrl: postgres.url,
    pool,
    async upload(file) {
      const s3_key = `uploads/${randomUUID()}.csv`
      const { ETag: s3_etag } = await s3.send(
        new PutObjectCommand({
          Bucket: cloud.names.buckets['campaigns'],
          Key: s3_key,
          Body: createReadStream(file),
          ContentLength: (await stat(file)).size,
        }),
      )
      return { s3_key, s3_etag }
    },
    async campaign() {
      const id = randomUUID()
      await pool.query(
        `insert into notification_campaigns (campaign_id, owner_id, registration_key, registration_hash, subject,
          body_html, body_text, from_address, scheduled_at, s3_key, s3_etag, status)
         values ($1, 'bench', $2, '', 's', 'h', 't', 'a@example.jp', '2099-01-01T00:00:00Z', 'x', '', '取込中')`,
        [id, id],
      )
      return id
    },
    async execute(machine, campaign_id, upload) {
      const name = randomUUID()
      const end = cloud.ended(machine, name)
      await cloud.start(machine, { campaign_id, revision: 1, ...upload }, name)
      const { status, output, cause } = await end
      if (status !== 'SUCCEEDED') throw new Error(`${machine} ${status}: ${cause}`)
      return JSON.parse(output ?? '{}').total_count
    },
    async [Symbol.asyncDispose]() {
      await pool.end()
      s3.destroy()
      await cloud[Symbol.asyncDispose]()
      await postgres.stop()
    },
  }
}
