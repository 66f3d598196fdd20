import {
  ConcurrentExecutionError,
  isTaskError,
  NO_RAW_DATA,
  PRE_VALIDATION_FAILED,
  SCHEMA_CHECK_FAILED,
} from '@stepwright/errors'
import type { ObjectStore } from '@stepwright/object-store'
import { defineTask } from '@stepwright/task'
import { latestSchemaKey, type Partition, partitionPrefix, rawPrefixes, s3Uri } from './dataset.ts'
import { serviceErrors } from './errors.ts'
import { type JobSpec, jobSpecKey, runPrefix } from './job.ts'
import { readManifest, statsOf } from './manifest.ts'
import { noStats, type PreflightOutput, preflightOutput } from './outputs.ts'
import type { PartitionLock } from './partition-lock.ts'
import { type DayInput, dayInput, partitionOf } from './plan.ts'
import { metricOf } from './quality-rules.ts'
import { findRawFiles } from './raw-files.ts'
import { readTableSettings } from './table-settings.ts'
import { type ReaderPorts, tellReaders } from './tell-readers.ts'

export interface PreflightPorts extends ReaderPorts {
  readonly raw: Pick<ObjectStore, 'list'>
  readonly curated: Pick<ObjectStore, 'get' | 'put' | 'list'>
  readonly rawBucket: string
  readonly lock: PartitionLock
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
  errors: [PRE_VALIDATION_FAILED, NO_RAW_DATA, ConcurrentExecutionError, ...serviceErrors],
  async run(input, ports: PreflightPorts, { signal, logger }): Promise<PreflightOutput> {
    const { ds, executionId, plan } = input
    const partition = partitionOf(input)
    if (!(await ports.lock.acquire(partition, executionId))) {
      // Nobody would notice that a partition was not made anew.
      if (plan.reprocess) throw new ConcurrentExecutionError(`another execution is at work on ds=${ds}`)
      logger.info('partition is locked', { ds })
      return { ...skip, ds, ...nothing }
    }
    try {
      const published = plan.reprocess ? undefined : await findOutput(ports, partition, signal)
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

/** What is in the partition's place; also what another program has put there, of which no figures are known. */
async function findOutput(
  ports: PreflightPorts,
  partition: Partition,
  signal: AbortSignal,
): Promise<Place | undefined> {
  const { curated } = ports
  const manifest = await readManifest(curated, partition, signal)
  if (manifest) {
    await tellReaders(manifest.value, partition, ports, signal).catch(error => {
      // CheckSchema comes next, and says so.
      if (!isTaskError(error, SCHEMA_CHECK_FAILED)) throw error
    })
    return { published: true, stats: statsOf(manifest.value), glueRunIds: [manifest.value.glueRunId] }
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
  { plan, ds, correlationId, executionId }: DayInput,
  partition: Partition,
  { raw, curated, rawBucket, curatedBucket, lock }: PreflightPorts,
  signal: AbortSignal,
): Promise<PreflightOutput> {
  const { rules, ...settings } = await readTableSettings(curated, partition, signal)
  const prefixes = plan.raw_prefix === undefined ? rawPrefixes(partition) : [plan.raw_prefix]
  const { fileType, files } = await findRawFiles(raw, prefixes, {
    partition,
    fileType: plan.file_type,
    signal,
  })
  const spec: JobSpec = {
    ...settings,
    correlationId,
    ds,
    fileType,
    rawBucket,
    sources: files.map(({ key, size, etag }) => ({ key, size, etag })),
    metrics: rules.flatMap(rule => metricOf(rule) ?? []),
    rules,
  }
  const key = jobSpecKey(runPrefix(partition, executionId))
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
      '--file_type': fileType,
      '--correlation_id': correlationId,
      '--job_s3_uri': s3Uri(curatedBucket, key),
      '--schema_fingerprint_s3_uri': s3Uri(curatedBucket, latestSchemaKey(partition)),
      ...lock.argumentsOf(partition, executionId),
    },
  }
}
