import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3Client } from '@aws-sdk/client-s3'
import { type ExecutionEnd, type RunningApp, type StartAppOptions, startApp } from '@stepwright/local-cloud'
import { readBytes } from '@stepwright/object-store'
import { createS3ObjectStore, type S3ObjectStore } from '@stepwright/object-store/s3'
import * as z from 'zod/mini'
import { app } from '../app.ts'
import { type Partition, tableSettingsKey } from '../dataset.ts'
import { openDuckDb, quoteText } from '../local/duckdb.ts'
import { type Manifest, readManifest } from '../manifest.ts'
import { type FailurePayload, failurePayload, type TransformOutput, transformOutput } from '../outputs.ts'
import type { tableSettings } from '../table-settings.ts'

/** The states as they are deployed, without the waits between them. */
async function quickDefinition(): Promise<object> {
  const text = await readFile(new URL('../../transform.asl.json', import.meta.url), 'utf8')
  return JSON.parse(text, (key, value) => {
    if (key === 'Seconds') return 0
    if (key === 'MaxConcurrency') return 2
    if (key === 'MaxAttempts') return Math.min(value, 6)
    if (key === 'Retry') return value.map((retrier: object) => ({ ...retrier, ...hasty }))
    return value
  })
}

const hasty = { IntervalSeconds: 1, BackoffRate: 1, JitterStrategy: 'FULL' }

export const base = { environment: 'dev', domain: 'shop', table_name: 'orders' }

/** The app on this machine, with ways to look into it. */
export interface RunningTransform extends AsyncDisposable {
  readonly running: RunningApp
  readonly raw: S3ObjectStore
  readonly curated: S3ObjectStore
  /** Every line that functions and jobs printed. */
  readonly log: readonly string[]
  /** Starts an execution and waits for its end; `base` is added to the input. */
  run(input: object, name?: string): Promise<ExecutionEnd>
  /** The answer of an execution that must succeed. */
  succeed(input: object): Promise<TransformOutput>
  /** The payload of an execution that must fail. */
  fail(input: object): Promise<FailurePayload>
  settle(
    table: { domain: string; table_name: string },
    settings: z.input<typeof tableSettings>,
  ): Promise<void>
  manifest(partition: Partition): Promise<Manifest | undefined>
  /** The rows of a partition as DuckDB's JSON has them, by the files that its manifest names. */
  rows(partition: Partition, order?: string): Promise<readonly Readonly<Record<string, unknown>>[]>
}

export async function startTransformApp(options: StartAppOptions = {}): Promise<RunningTransform> {
  const log: string[] = []
  const running = await startApp(app, {
    enforcePolicies: true,
    definitions: { transform: await quickDefinition() },
    onLog: line => void log.push(line),
    execArgv: ['--import', new URL('log-to-stdout.ts', import.meta.url).href],
    ...options,
  })
  const { endpoint, region, credentials } = running.services.s3
  const client = new S3Client({ endpoint, region, credentials })
  const raw = createS3ObjectStore({ bucket: running.names.buckets['raw'] ?? '', client })
  const curated = createS3ObjectStore({ bucket: running.names.buckets['curated'] ?? '', client })
  let runs = 0

  const run: RunningTransform['run'] = async (input, name) => {
    runs += 1
    const executionName = name ?? `run-${runs}`
    await running.start('transform', { ...base, ...input }, executionName)
    return running.ended('transform', executionName)
  }
  const manifest = (partition: Partition) => readManifest(curated, partition).then(found => found?.value)
  return {
    running,
    raw,
    curated,
    log,
    run,
    async succeed(input) {
      const { status, output, cause } = await run(input)
      if (status !== 'SUCCEEDED') throw new Error(`the execution ${status}: ${cause}`)
      return z.parse(transformOutput, JSON.parse(output ?? ''))
    },
    async fail(input) {
      const { status, error, cause, output } = await run(input)
      if (status !== 'FAILED') throw new Error(`the execution ${status}: ${output}`)
      const payload = z.parse(failurePayload, JSON.parse(cause ?? ''))
      if (payload.error.code !== error)
        throw new Error(`failed with ${error}, and says ${payload.error.code}`)
      return payload
    },
    async settle(table, settings) {
      await curated.put(tableSettingsKey(table), JSON.stringify(settings))
    },
    manifest,
    async rows(partition, order = 'ALL') {
      const { files = [] } = (await manifest(partition)) ?? {}
      return readRows(
        curated,
        files.map(({ key }) => key),
        order,
      )
    },
    async [Symbol.asyncDispose]() {
      client.destroy()
      await running.stop()
    },
  }
}

async function readRows(
  store: S3ObjectStore,
  keys: readonly string[],
  order: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const directory = await mkdtemp(join(tmpdir(), 'data-transform-test-'))
  try {
    const paths: string[] = []
    for (const [index, key] of keys.entries()) {
      const path = join(directory, `${index}.parquet`)
      await writeFile(path, await readBytes(await store.get(key)))
      paths.push(quoteText(path))
    }
    using duckDb = await openDuckDb({ threads: 1, memoryLimitMb: 200, temporaryDirectory: directory })
    const answer = await duckDb.runAndReadAll(`FROM read_parquet([${paths.join(', ')}]) ORDER BY ${order}`)
    return answer.getRowObjectsJson()
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
