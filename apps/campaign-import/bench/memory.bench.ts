/** The peak memory of a process that imports all chunks of 200,000 rows, one after the other, as a warm Lambda. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { figure, peakRssMb } from '@stepwright/bench'
import { startApp } from '@stepwright/local-cloud'
import pg from 'pg'
import { app } from '../src/app.ts'
import { bundle } from './bundle.ts'
import { recipientsCsv, rowCount } from './recipients-csv.ts'

// As Lambda sizes V8's heap for a function of 256 MB. Node on a big machine takes more before it collects anything.
const asInLambda = '--max-semi-space-size=12 --max-old-space-size=216'

await using cloud = await startApp(app, { environment: { POWERTOOLS_LOG_LEVEL: 'CRITICAL' } })
const directory = await mkdtemp(join(tmpdir(), 'campaign-memory-'))
const { endpoint, region, credentials } = cloud.services.s3
const s3 = new S3Client({ endpoint, region, credentials })
const client = new pg.Client({ connectionString: cloud.services.postgres.url })
await client.connect()
const run = { campaign_id: randomUUID(), revision: 1 }
const key = 'uploads/bench.csv'
await s3.send(
  new PutObjectCommand({
    Bucket: cloud.names.buckets['campaigns'],
    Key: key,
    Body: await readFile(await recipientsCsv()),
  }),
)
await client.query(
  `insert into notification_campaigns (campaign_id, owner_id, registration_key, registration_hash, subject,
    body_html, body_text, from_address, scheduled_at, s3_key, s3_etag, status)
   values ($1, 'bench', 'bench', '', 's', 'h', 't', 'a@example.jp', '2099-01-01T00:00:00Z', 'x', '', '取込中')`,
  [run.campaign_id],
)
const { file, chunks } = (await cloud.invoke('SplitCSV', { key, id: run.campaign_id })) as {
  file: unknown
  chunks: unknown[]
}
const events = chunks.map(chunk => ({ ...run, file, chunk }))
const script = join(directory, 'worker.mjs')
await writeFile(
  script,
  `import { handler } from ${JSON.stringify(pathToFileURL(await bundle('import-chunk', directory)).href)}
for (const event of ${JSON.stringify(events)}) await handler(event)
process.exit()`,
)
Object.assign(process.env, cloud.environmentOf('ImportChunk'), {
  NODE_OPTIONS: asInLambda,
  POWERTOOLS_METRICS_DISABLED: 'true',
})
const peak = await peakRssMb(script)
const { rows } = await client.query('select count(*)::int as count from notification_recipients')
if (rows[0].count !== rowCount) throw new Error(`${rows[0].count} recipients, not ${rowCount}`)
await client.end()
s3.destroy()
await rm(directory, { recursive: true })
figure('campaign.rss_mb', peak, { atMost: 150 })
