import {
  DQ_FAILED,
  GLUE_JOB_FAILED,
  IDEMPOTENT_SKIP,
  SCHEMA_CHECK_FAILED,
  TemporaryError,
} from '@stepwright/errors'
import { type ObjectStore, readJson, replaceJson } from '@stepwright/object-store'
import { defineTask, type TaskContext } from '@stepwright/task'
import * as z from 'zod/mini'
import { dayBefore } from './calendar.ts'
import { manifestKey, type Partition, partitionName, runsPrefix } from './dataset.ts'
import { serviceErrors } from './errors.ts'
import {
  type JobResult,
  type JobSpec,
  jobResult,
  jobResultKey,
  jobRunPrefix,
  jobSpec,
  jobSpecKey,
  runPrefix,
} from './job.ts'
import { type Manifest, readManifest, statsOf } from './manifest.ts'
import { dayResult } from './outputs.ts'
import type { PartitionLock } from './partition-lock.ts'
import { dayInput, partitionOf } from './plan.ts'
import { findViolations } from './quality-rules.ts'
import { schemaHash } from './schema-fingerprint.ts'
import { type ReaderPorts, tellReaders } from './tell-readers.ts'

export interface PublishPorts extends ReaderPorts {
  readonly curated: Pick<ObjectStore, 'get' | 'put' | 'list' | 'deleteMany'>
  readonly lock: PartitionLock
}

const publishInput = z.object({ ...dayInput.shape, jobRunId: z.string() })

/**
 * Puts what a job wrote in the partition's place: by replacing the manifest, so that a reader sees the old rows or
 * the new ones, and never some of both. Whatever it dies of, the next call goes on.
 */
export const publishPartition = defineTask({
  name: 'publish-partition',
  description: 'Checks what a job wrote by the rules of its table, and publishes it.',
  needs: {
    ports: {
      curated: 'The bucket of what was transformed.',
      curatedBucket: 'Its name.',
      lock: 'One execution at a time for each partition.',
    },
    permissions: [
      {
        actions: ['s3:GetObject', 's3:ListBucket', 's3:PutObject', 's3:DeleteObject'],
        on: 'the bucket of what was transformed',
      },
      {
        actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
        on: 'the table of locks',
      },
    ],
  },
  idempotent: true,
  input: publishInput,
  output: dayResult,
  errors: [DQ_FAILED, GLUE_JOB_FAILED, IDEMPOTENT_SKIP, SCHEMA_CHECK_FAILED, ...serviceErrors],
  async run(input, ports: PublishPorts, context) {
    const partition = partitionOf(input)
    const manifest = await publish(input, partition, ports, context)
    await tellReaders(manifest, partition, ports, context.signal)
    // A call that was given up, and goes on after the next one has ended, would delete what others publish since.
    if (await ports.lock.renew(partition, input.executionId)) {
      await clearOldRuns(manifest, partition, ports.curated, context.signal)
    }
    await ports.lock.release(partition, input.executionId)
    const stats = statsOf(manifest)
    context.logger.info('partition published', { ds: input.ds, ...stats, warnings: manifest.warnings.length })
    context.metrics.add('PartitionsPublished', 1)
    return {
      ok: true as const,
      ds: input.ds,
      published: true,
      proceed: true,
      stats,
      glueRunIds: [manifest.glueRunId],
      warnings: manifest.warnings,
    }
  },
})

async function publish(
  input: z.infer<typeof publishInput>,
  partition: Partition,
  { curated, lock }: PublishPorts,
  { signal, now }: TaskContext,
): Promise<Manifest> {
  const current = await readManifest(curated, partition, signal)
  if (current?.value.glueRunId === input.jobRunId) return current.value
  if (current && !input.plan.reprocess) {
    throw new IDEMPOTENT_SKIP(`another execution has published ${partitionName(partition)}`)
  }
  const run = runPrefix(partition, input.executionId)
  const spec = await readJson(curated, jobSpecKey(run), jobSpec, { signal })
  const result = await readJson(curated, jobResultKey(run, input.jobRunId), jobResult, { signal })
  if (spec === undefined || result === undefined) {
    throw new GLUE_JOB_FAILED('the job ended well, and left no result')
  }
  const warnings = await check(spec.value, result.value, partition, curated, signal)
  const manifest: Manifest = {
    ds: input.ds,
    correlationId: input.correlationId,
    glueRunId: input.jobRunId,
    rowCount: result.value.rowCount,
    files: result.value.files,
    prefix: jobRunPrefix(run, input.jobRunId),
    ...(current && { replaces: current.value.prefix }),
    columns: result.value.columns,
    schemaHash: schemaHash(result.value.columns),
    sourceCount: spec.value.sources.length,
    warnings,
    publishedAt: new Date(now()).toISOString(),
  }
  if (!(await isStillOurs(lock, partition, input.executionId))) {
    throw new IDEMPOTENT_SKIP(`another execution has taken over ${partitionName(partition)}`)
  }
  if (await replaceJson(curated, manifestKey(partition), manifest, current, { signal })) return manifest
  throw new TemporaryError(`the manifest of ${partitionName(partition)} was replaced meanwhile`)
}

/** A lock that expired, and that nobody has taken since, is ours again. */
async function isStillOurs(lock: PartitionLock, partition: Partition, executionId: string): Promise<boolean> {
  return (await lock.renew(partition, executionId)) || (await lock.acquire(partition, executionId))
}

/** @throws DQ_FAILED for the first critical rule that does not hold; what the others say is returned */
async function check(
  { rules }: JobSpec,
  { rowCount, figures }: JobResult,
  partition: Partition,
  curated: PublishPorts['curated'],
  signal: AbortSignal,
): Promise<string[]> {
  const yesterday = rules.some(({ rule }) => rule === 'row_count_change')
    ? await readManifest(curated, { ...partition, ds: dayBefore(partition.ds) }, signal)
    : undefined
  const violations = findViolations(rules, {
    rowCount,
    figures,
    previousRowCount: yesterday?.value.rowCount,
  })
  const critical = violations.filter(({ severity }) => severity === 'critical')
  const [first] = critical
  if (first === undefined) return violations.map(({ message }) => message)
  const more = critical.length > 1 ? ` (and ${critical.length - 1} more)` : ''
  throw new DQ_FAILED(`${first.message}${more}`, {
    details: { violations: critical.slice(0, 20).map(({ rule, column }) => ({ rule, column })) },
  })
}

async function clearOldRuns(
  { prefix, replaces }: Manifest,
  partition: Partition,
  curated: PublishPorts['curated'],
  signal: AbortSignal,
): Promise<void> {
  const old: string[] = []
  for await (const { key } of curated.list(runsPrefix(partition), { signal })) {
    if (!key.startsWith(prefix) && (replaces === undefined || !key.startsWith(replaces))) old.push(key)
  }
  if (old.length > 0) await curated.deleteMany(old, { signal })
}
