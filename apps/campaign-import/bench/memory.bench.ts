/**
 * The peak memory of a process that imports all chunks of a file, one after the other, as a warm Lambda, and of
 * one that splits it: for 200,000 rows and for 25 times as many.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { figure, peakRssMb } from '@stepwright/bench'
import { bundle } from './bundle.ts'
import { openImporting } from './importing.ts'
import { recipientsCsv } from './recipients-csv.ts'

// As Lambda sizes V8's heap for a function of 256 MB. Node on a big machine takes more before it collects anything.
const asInLambda = '--max-semi-space-size=12 --max-old-space-size=216'

await using importing = await openImporting()
const { cloud, pool } = importing
const directory = await mkdtemp(join(tmpdir(), 'campaign-memory-'))

async function peakOf(
  functionName: 'SplitCSV' | 'ImportChunk',
  handler: string,
  events: readonly unknown[],
): Promise<number> {
  const script = join(directory, `${handler}.mjs`)
  const module = JSON.stringify(pathToFileURL(await bundle(handler, directory)).href)
  await writeFile(join(directory, 'events.json'), JSON.stringify(events))
  await writeFile(
    script,
    `import { readFileSync } from 'node:fs'
import { handler } from ${module}
for (const event of JSON.parse(readFileSync(${JSON.stringify(join(directory, 'events.json'))}))) await handler(event)
process.exit()`,
  )
  Object.assign(process.env, cloud.environmentOf(functionName), {
    NODE_OPTIONS: asInLambda,
    POWERTOOLS_METRICS_DISABLED: 'true',
  })
  return peakRssMb(script)
}

async function peaksOf(rowCount: number): Promise<{ split: number; worker: number }> {
  const { s3_key: key } = await importing.upload(await recipientsCsv(rowCount))
  const run = { campaign_id: await importing.campaign(), revision: 1 }
  const split = await peakOf('SplitCSV', 'split-csv', [{ key, id: `${run.campaign_id}-peak` }])
  const { file, chunks } = (await cloud.invoke('SplitCSV', { key, id: run.campaign_id })) as {
    file: unknown
    chunks: unknown[]
  }
  const worker = await peakOf(
    'ImportChunk',
    'import-chunk',
    chunks.map(chunk => ({ ...run, file, chunk })),
  )
  const { rows } = await pool.query('select count(*)::int as count from notification_recipients')
  if (rows[0].count !== rowCount) throw new Error(`${rows[0].count} recipients, not ${rowCount}`)
  await pool.query('truncate notification_recipients, stepwright_chunk_ledger')
  console.log(`${rowCount} rows: split ${split.toFixed(0)} MB, worker ${worker.toFixed(0)} MB`)
  return { split, worker }
}

const few = await peaksOf(200_000)
const many = await peaksOf(5_000_000)
await rm(directory, { recursive: true })
figure('campaign.rss_mb', few.worker, { atMost: 150 })
figure('campaign.5m.worker_rss.vs_200k', many.worker / few.worker, { atMost: 1.15 })
