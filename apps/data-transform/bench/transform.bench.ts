/**
 * The whole workflow, from raw CSV to a published partition, against the bare DuckDB statement. There are no rules of
 * data quality: the bare statement checks nothing either.
 */

import { createReadStream, createWriteStream, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { S3Client } from '@aws-sdk/client-s3'
import { compare, figure } from '@stepwright/bench'
import { type RunningApp, startApp } from '@stepwright/local-cloud'
import { createS3ObjectStore, type S3ObjectStore } from '@stepwright/object-store/s3'
import { app } from '../src/app.ts'
import { openDuckDb, quoteText } from '../src/local/duckdb.ts'
import { ordersCsv, ordersJsonl } from './orders-csv.ts'

const rows = Number(process.env['BENCH_ROWS'] ?? 10_000_000)
const threads = 2
const memoryLimitMb = 256
type Cloud = RunningApp

function storeOf({ services, names }: Cloud, bucket: 'raw' | 'curated'): S3ObjectStore {
  const { endpoint, region, credentials } = services.s3
  return createS3ObjectStore({
    bucket: names.buckets[bucket] ?? '',
    client: () => new S3Client({ endpoint, region, credentials }),
  })
}

function keyOf(table_name: string, file: string): string {
  return `shop/${table_name}/ds=2025-09-07/orders${extname(file)}`
}

async function load(cloud: Cloud, table_name: string, file: string): Promise<void> {
  const raw = storeOf(cloud, 'raw')
  await raw.upload(keyOf(table_name, file), createReadStream(file))
  raw.close()
}

/** A bare statement that reads the same object from S3, and writes the same codec to S3. */
async function bareWithSameIo(cloud: Cloud, table_name: string, file: string): Promise<number> {
  const place = await mkdtemp(join(tmpdir(), 'transform-bench-'))
  const [raw, curated] = [storeOf(cloud, 'raw'), storeOf(cloud, 'curated')]
  try {
    const local = join(place, `raw${extname(file)}`)
    const { body } = await raw.get(keyOf(table_name, file))
    await pipeline(body, createWriteStream(local))
    const target = join(place, 'bare.parquet')
    using duckDb = await openDuckDb({ threads, memoryLimitMb, temporaryDirectory: join(place, 'duckdb') })
    const reader = file.endsWith('.csv') ? 'read_csv' : 'read_json'
    await duckDb.run(
      `COPY (SELECT * FROM ${reader}(${quoteText(local)})) TO ${quoteText(target)} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1)`,
    )
    await curated.upload(`bench/${table_name}.parquet`, createReadStream(target, { highWaterMark: 1 << 20 }))
    const answer = await duckDb.runAndReadAll(
      `SELECT count(*)::DOUBLE FROM read_parquet(${quoteText(target)})`,
    )
    return Number(answer.getRows()[0]?.[0])
  } finally {
    raw.close()
    curated.close()
    await rm(place, { recursive: true })
  }
}

let runs = 0

/** From StartExecution to the end of the execution. */
async function execute(
  cloud: Cloud,
  table_name: string,
  catalog_update = 'on_schema_change',
): Promise<number> {
  runs += 1
  const name = `bench-${runs}`
  const input = {
    environment: 'dev',
    domain: 'shop',
    table_name,
    ds: '2025-09-07',
    reprocess: true,
    catalog_update,
  }
  await cloud.start('transform', input, name)
  const { status, output, cause } = await cloud.ended('transform', name)
  if (status !== 'SUCCEEDED') throw new Error(`the transform ${status}: ${cause}`)
  return JSON.parse(output ?? '{}').stats.rowCount
}

/** The peak of the functions' and the job's processes, which are children of this one. */
function peakMb(): number {
  const peaks = readdirSync('/proc').flatMap(pid => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const isOurs =
        status.includes(`\nPPid:\t${process.pid}\n`) &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('function-process')
      return isOurs ? [Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024] : []
    } catch {
      return []
    }
  })
  return Math.max(0, ...peaks)
}

const environment = {
  POWERTOOLS_LOG_LEVEL: 'SILENT',
  JOB_THREADS: String(threads),
  JOB_MEMORY_MB: String(memoryLimitMb),
}
await using cloud = await startApp(app, { environment })
const directory = await mkdtemp(join(tmpdir(), 'transform-bench-'))
const small = rows / 10
await load(cloud, 'small', await ordersCsv(small))
await execute(cloud, 'small', 'never')
const smallPeak = peakMb()
const file = await ordersCsv(rows)
await load(cloud, 'orders', file)
await execute(cloud, 'orders', 'force')

const times = await compare(
  `${rows} rows of CSV, 8 columns, raw to published Parquet`,
  {
    ours: () => execute(cloud, 'orders'),
    async bare() {
      using duckDb = await openDuckDb({
        threads,
        memoryLimitMb,
        temporaryDirectory: join(directory, 'duckdb'),
      })
      const target = quoteText(join(directory, 'bare.parquet'))
      await duckDb.run(`COPY (SELECT * FROM read_csv(${quoteText(file)})) TO ${target} (FORMAT parquet)`)
      const answer = await duckDb.runAndReadAll(`SELECT count(*)::DOUBLE FROM read_parquet(${target})`)
      return Number(answer.getRows()[0]?.[0])
    },
  },
  { rounds: 3 },
)
const jsonFile = await ordersJsonl(rows / 4)
await load(cloud, 'json', jsonFile)
await execute(cloud, 'json')
const csvTimes = await compare(
  `${rows} rows of CSV, against the bare statement with the same GET, PUT and codec`,
  { ours: () => execute(cloud, 'orders'), bare: () => bareWithSameIo(cloud, 'orders', file) },
  { rounds: 3 },
)
const jsonTimes = await compare(
  `${rows / 4} rows of JSON Lines, against the bare statement with the same GET, PUT and codec`,
  { ours: () => execute(cloud, 'json'), bare: () => bareWithSameIo(cloud, 'json', jsonFile) },
  { rounds: 3 },
)
const peak = peakMb()
await rm(directory, { recursive: true })
console.log(`  peak memory ${smallPeak.toFixed(0)} MB with ${small} rows, ${peak.toFixed(0)} MB with ${rows}`)
figure('transform.vs_duckdb', times.bare.medianMs / times.ours.medianMs, { atLeast: 0.4 })
figure('transform.csv.vs_same_io', csvTimes.bare.medianMs / csvTimes.ours.medianMs, { atLeast: 0.8 })
figure('transform.json.vs_same_io', jsonTimes.bare.medianMs / jsonTimes.ours.medianMs, { atLeast: 0.7 })
figure('transform.rss_mb', peak, { atMost: 700 })
