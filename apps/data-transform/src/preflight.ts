import {
  ConcurrentExecutionError,
  ConflictError,
  isTaskError,
  NO_RAW_DATA,
  NotFoundError,
  PRE_VALIDATION_FAILED,
  SCHEMA_CHECK_FAILED,
} from '@stepwright/errors'
import type { ObjectStore } from '@stepwright/object-store'
import { defineTask } from '@stepwright/task'
import { latestSchemaKey, type Partition, partitionPrefix, rawPrefixes, s3Uri } from './dataset.ts'
import { preflightErrors } from './errors.ts'
import { type JobSpec, jobSpecKey, runPrefix } from './job.ts'
import { type Manifest, readManifest, statsOf } from './manifest.ts'
import { noStats, type PreflightOutput, preflightOutput } from './outputs.ts'
import type { DayLock } from './partition-lock.ts'
import { type DayInput, dayInput, partitionOf } from './plan.ts'
import { metricOf } from './quality-rules.ts'
import { findRawFiles } from './raw-files.ts'
import { readTableSettings, type TableSettings, toGivenType } from './table-settings.ts'
import { readTable } from './table-types.ts'
import { type ReaderPorts, tellReaders } from './tell-readers.ts'
import { type ColumnType, digitsOf } from './typing/column-type.ts'
import { staleColumns, type TableColumn } from './typing/table-schema.ts'

export interface PreflightPorts extends ReaderPorts {
  readonly raw: Pick<ObjectStore, 'list' | 'head'>
  readonly curated: Pick<ObjectStore, 'get' | 'head' | 'put' | 'list'>
  readonly rawBucket: string
  readonly lock: DayLock
}

/** Decides whether there is anything to do for a day, takes its lock, and says what the job is to do. */
export const preflight = defineTask({
  name: 'preflight',
  description: 'Locks a partition and prepares its job, or says why there is nothing to do.',
  needs: {
    ports: {
      raw: 'The bucket of what is to be transformed.',
      rawBucket: 'Its name.',
      curated: 'The bucket of what was transformed.',
      curatedBucket: 'Its name.',
      lock: 'One execution at a time for each partition.',
    },
    permissions: [
      { actions: ['s3:GetObject', 's3:ListBucket'], on: 'both buckets' },
      { actions: ['s3:PutObject'], on: 'the bucket of what was transformed' },
      { actions: ['dynamodb:PutItem', 'dynamodb:DeleteItem'], on: 'the table of locks' },
    ],
  },
  idempotent: true,
  input: dayInput,
  output: preflightOutput,
  errors: [PRE_VALIDATION_FAILED, NO_RAW_DATA, SCHEMA_CHECK_FAILED, ...preflightErrors],
  async run(input, ports: PreflightPorts, { signal, logger }): Promise<PreflightOutput> {
    const { ds, executionId, plan, rewrite } = input
    const partition = partitionOf(input)
    if (!(await ports.lock.acquire(partition, executionId))) {
      // Nobody would notice that a partition was not made anew.
      if (plan.reprocess || rewrite)
        throw new ConcurrentExecutionError(`another execution is at work on ds=${ds}`)
      logger.info('partition is locked', { ds })
      const manifest = await readManifest(ports.curated, partition, signal)
      return { ...skip, ds, ...(manifest ? placeOf(manifest.value) : nothing) }
    }
    try {
      if (rewrite) {
        const prepared = await prepareRewrite(input, partition, ports, signal)
        if (prepared) return prepared
      }
      const published = plan.reprocess && !rewrite ? undefined : await findOutput(ports, partition, signal)
      if (published === undefined) return await prepare(input, partition, ports, signal)
      await ports.lock.release(partition, executionId)
      logger.info('partition is there', { ds })
      return { ...skip, ds, ...published }
    } catch (error) {
      await ports.lock.release(partition, executionId).catch(() => {})
      throw error
    }
  },
})

type Place = Pick<PreflightOutput, 'published' | 'stats' | 'glueRunIds'>

const nothing: Place = { published: false, stats: noStats, glueRunIds: [] }
const skip = { proceed: false, code: 'IDEMPOTENT_SKIP', glue_args: {} } as const

function placeOf(manifest: Manifest): Place {
  return { published: true, stats: statsOf(manifest), glueRunIds: [manifest.glueRunId] }
}

/** What is in the partition's place; also what another program has put there, of which no figures are known. */
async function findOutput(
  ports: PreflightPorts,
  partition: Partition,
  signal: AbortSignal,
): Promise<Place | undefined> {
  const { curated } = ports
  const manifest = await readManifest(curated, partition, signal)
  if (manifest) {
    await tellReaders(manifest.value, partition, ports, signal)
    return placeOf(manifest.value)
  }
  let fileCount = 0
  let bytesWritten = 0
  for await (const { size } of curated.list(partitionPrefix(partition), { signal })) {
    fileCount += 1
    bytesWritten += size
  }
  return fileCount === 0
    ? undefined
    : { published: true, stats: { rowCount: 0, bytesWritten, fileCount }, glueRunIds: [] }
}

async function prepare(
  input: DayInput,
  partition: Partition,
  ports: PreflightPorts,
  signal: AbortSignal,
): Promise<PreflightOutput> {
  const { raw, curated } = ports
  const { plan } = input
  const settings = await readTableSettings(curated, partition, signal)
  const { schema } = await readTable(curated, partition, signal)
  const prefixes = plan.raw_prefix === undefined ? rawPrefixes(partition) : [plan.raw_prefix]
  const { fileType, files } = await findRawFiles(raw, prefixes, {
    partition,
    fileType: plan.file_type,
    signal,
  })
  const sources = files.map(({ key, size, etag }) => ({ key, size, etag }))
  const spec = { ...specOf(input, settings, schema.columns), fileType, sources, rawBucket: ports.rawBucket }
  return writeSpec(input, partition, spec, ports, signal)
}

/** Undefined where the day has the types of its table already, or is not there. */
async function prepareRewrite(
  input: DayInput,
  partition: Partition,
  ports: PreflightPorts,
  signal: AbortSignal,
): Promise<PreflightOutput | undefined> {
  const { curated } = ports
  const { schema } = await readTable(curated, partition, signal)
  const manifest = (await readManifest(curated, partition, signal))?.value
  const stale = staleColumns(schema.columns, manifest?.columns ?? [])
  if (manifest === undefined || stale.length === 0) return undefined
  const settings = await readTableSettings(curated, partition, signal)
  const spec = specOf(input, settings, schema.columns)
  const texts = stale.filter(({ from, to }) => !isNumber(from) || !isNumber(to)).map(({ name }) => name)
  const { sources = [], fileType } = manifest
  if (texts.length > 0 && fileType && (await areUnchanged(ports.raw, sources, signal))) {
    return writeSpec(
      input,
      partition,
      { ...spec, fileType, sources, rawBucket: ports.rawBucket },
      ports,
      signal,
    )
  }
  const files = await Promise.all(
    manifest.files.map(async ({ key, size }) => ({
      key,
      size,
      etag: (await curated.head(key, { signal })).etag,
    })),
  )
  const rewriting: JobSpec = {
    ...spec,
    fileType: 'parquet',
    sources: files,
    rawBucket: ports.curatedBucket,
    rewrites: true,
    deduplicate: false,
    recast: texts,
  }
  return writeSpec(input, partition, rewriting, ports, signal)
}

/** Between numbers, nothing is lost by way of Parquet. */
function isNumber(type: ColumnType): boolean {
  return digitsOf(type) !== undefined || type === 'double' || type === 'float'
}

async function areUnchanged(
  raw: PreflightPorts['raw'],
  sources: readonly { readonly key: string; readonly etag: string }[],
  signal: AbortSignal,
): Promise<boolean> {
  if (sources.length === 0) return false
  for (const { key, etag } of sources) {
    const isThere = await raw.head(key, { ifMatch: etag, signal }).then(
      () => true,
      error => {
        if (isTaskError(error, NotFoundError) || isTaskError(error, ConflictError)) return false
        throw error
      },
    )
    if (!isThere) return false
  }
  return true
}

function specOf(
  { ds, correlationId }: DayInput,
  { rules, types, on_new_type, ...settings }: TableSettings,
  schema: readonly TableColumn[],
): Omit<JobSpec, 'fileType' | 'sources' | 'rawBucket'> {
  return {
    ...settings,
    correlationId,
    ds,
    types: Object.fromEntries(Object.entries(types).map(([name, type]) => [name, toGivenType(type)])),
    schema: [...schema],
    onNewType: on_new_type,
    rewrites: false,
    metrics: rules.flatMap(rule => metricOf(rule) ?? []),
    rules,
  }
}

async function writeSpec(
  { plan, ds, correlationId, executionId, rewrite }: DayInput,
  partition: Partition,
  spec: JobSpec,
  { curated, curatedBucket, lock }: PreflightPorts,
  signal: AbortSignal,
): Promise<PreflightOutput> {
  const key = jobSpecKey(runPrefix(partition, executionId, rewrite))
  await curated.put(key, JSON.stringify(spec), { contentType: 'application/json', signal })
  return {
    proceed: true,
    ds,
    ...nothing,
    glue_args: {
      '--ds': ds,
      '--environment': plan.environment,
      '--domain': plan.domain,
      '--table_name': plan.table_name,
      '--file_type': spec.fileType,
      '--correlation_id': correlationId,
      '--job_s3_uri': s3Uri(curatedBucket, key),
      '--schema_fingerprint_s3_uri': s3Uri(curatedBucket, latestSchemaKey(partition)),
      ...lock.argumentsOf(partition, executionId),
    },
  }
}
