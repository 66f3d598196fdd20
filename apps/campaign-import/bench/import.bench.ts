import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { compare, figure } from '@stepwright/bench'
import { startApp } from '@stepwright/local-cloud'
import pg from 'pg'
import { benchApp } from './bench-app.ts'
import { recipientsCsv, rowCount } from './recipients-csv.ts'

const s3Key = 'uploads/bench.csv'

await using cloud = await startApp(benchApp, { environment: { POWERTOOLS_LOG_LEVEL: 'CRITICAL' } })
await cloud.invoke('NaiveCreateTables', {})
const { postgres, s3: s3Service } = cloud.services
const { endpoint, region, credentials } = s3Service
const s3 = new S3Client({ endpoint, region, credentials })
const pool = new pg.Pool({ connectionString: postgres.url, max: 1 })
pool.on('error', () => {}) // when the server stops first
const bucket = cloud.names.buckets['campaigns'] ?? ''
const { ETag: s3Etag } = await s3.send(
  new PutObjectCommand({ Bucket: bucket, Key: s3Key, Body: await readFile(await recipientsCsv()) }),
)

/** From StartExecution to the end of the execution. */
async function execute(machine: 'import' | 'naive', campaign_id: string): Promise<number> {
  const name = randomUUID()
  const end = cloud.ended(machine, name)
  await cloud.start(machine, { campaign_id, revision: 1, s3_key: s3Key, s3_etag: s3Etag }, name)
  const { status, output, cause } = await end
  if (status !== 'SUCCEEDED') throw new Error(`${machine} ${status}: ${cause}`)
  return JSON.parse(output ?? '{}').total_count
}

const times = await compare(
  `import of ${rowCount} recipients: the uploaded object to committed rows, all states`,
  {
    async ours() {
      const campaign_id = randomUUID()
      await pool.query(
        `insert into notification_campaigns (campaign_id, owner_id, registration_key, registration_hash, subject,
          body_html, body_text, from_address, scheduled_at, s3_key, s3_etag, status)
         values ($1, 'bench', $2, '', 's', 'h', 't', 'a@example.jp', '2099-01-01T00:00:00Z', $3, '', '取込中')`,
        [campaign_id, campaign_id, s3Key],
      )
      return execute('import', campaign_id)
    },
    async naive() {
      const campaign_id = randomUUID()
      await pool.query(`insert into naive_campaigns (campaign_id, status) values ($1, '取込中')`, [
        campaign_id,
      ])
      return execute('naive', campaign_id)
    },
  },
  {
    rounds: 5,
    before: async () => {
      await pool.query('truncate notification_recipients, naive_recipients, stepwright_chunk_ledger')
      await pool.query('checkpoint')
    },
  },
)
const seconds = times.ours.medianMs / 1000
console.log(
  `  ${seconds.toFixed(2)} s, ${Math.round(rowCount / seconds)} rows/s; the design estimates 24 to 33 s`,
)
figure('campaign.vs_naive', times.naive.medianMs / times.ours.medianMs, { atLeast: 3 })

await pool.end()
s3.destroy()
