import {
  DQ_FAILED,
  GLUE_JOB_FAILED,
  IDEMPOTENT_SKIP,
  SCHEMA_CHECK_FAILED,
  type TaskError,
} from '@stepwright/errors'
import { type ObjectStore, readJson } from '@stepwright/object-store'
import { clearRuns, dayBefore, holdLock, publishRun, schemaHash } from '@stepwright/partitions'
import { defineTask, type TaskContext } from '@stepwright/task'
import * as z from 'zod/mini'
import { manifestKey, type Partition, partitionName, runsPrefix } from './dataset.ts'
import { serviceErrors } from './errors.ts'
import {
  findJobRuns,
  type JobResult,
  type JobSpec,
  jobResult,
  jobResultKey,
  jobRunPrefix,
  jobSpec,
  jobSpecKey,
  type Misfit,
  runPrefix,
} from './job.ts'
import { toJsonObjects } from './json-objects.ts'
import { type Manifest, manifestSchema, readManifest, statsOf } from './manifest.ts'
import { dayResult } from './outputs.ts'
import type { DayLock } from './partition-lock.ts'
import { dayInput, partitionOf } from './plan.ts'
import { findViolations } from './quality-rules.ts'
import { findStaleDays, recordTypes } from './table-types.ts'
import { type ReaderPorts, tellReaders } from './tell-readers.ts'
import { parseType, sameName } from './typing/column-type.ts'
import { staleColumns, type TableColumn } from './typing/table-schema.ts'

export interface PublishPorts extends ReaderPorts {
  /** Of older days that may be rewritten because a column's type became wider. */
  readonly maxRewriteBytes: number
  readonly curated: Pick<ObjectStore, 'get' | 'put' | 'list' | 'deleteMany'>
  readonly lock: DayLock
}

const maxWarnings = 5
const maxWarningCharacters = 300
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
      maxRewriteBytes: 'How much of older days may be rewritten where a type becomes wider.',
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
      const { prefix, replaces } = manifest
      await clearRuns(ports.curated, runsPrefix(partition), [prefix, replaces], context)
    }
    await ports.lock.release(partition, input.executionId)
    const stats = statsOf(manifest)
    context.logger.info('partition published', { ds: input.ds, ...stats, warnings: manifest.warnings.length })
    context.metrics.add('PartitionsPublished', 1)
    return {
      ok: true as const,
      ds: input.ds,
      rewrite: input.rewrite,
      published: true,
      proceed: true,
      stats,
      glueRunIds: [...(manifest.failedRunIds ?? []), manifest.glueRunId],
      warnings: shorten(manifest.warnings),
    }
  },
})

/** States carry a few of them, all days together at most 256 KiB; the manifest has all. */
function shorten(warnings: readonly string[]): string[] {
  const more = warnings.length - maxWarnings
  const first = warnings.slice(0, maxWarnings).map(warning => warning.slice(0, maxWarningCharacters))
  return more > 0 ? [...first, `and ${more} more: the manifest has all`] : first
}

async function publish(
  input: z.infer<typeof publishInput>,
  partition: Partition,
  ports: PublishPorts,
  context: TaskContext,
): Promise<Manifest> {
  const { curated, lock } = ports
  const { signal } = context
  const run = runPrefix(partition, input.executionId, input.rewrite)
  const published = await publishRun<Manifest>({
    objects: toJsonObjects(curated),
    manifestKey: manifestKey(partition),
    schema: manifestSchema,
    prefix: jobRunPrefix(run, input.jobRunId),
    replace: input.plan.reprocess || input.rewrite,
    isOwner: () => holdLock(lock, partition, input.executionId),
    build: current => buildManifest(input, partition, current, ports, context),
    signal,
  })
  if (published.state === 'published') return published.manifest
  const what = published.state === 'taken' ? 'published' : 'taken over'
  throw new IDEMPOTENT_SKIP(`another execution has ${what} ${partitionName(partition)}`)
}

async function buildManifest(
  input: z.infer<typeof publishInput>,
  partition: Partition,
  current: Manifest | undefined,
  { curated, maxRewriteBytes }: PublishPorts,
  { signal, now }: TaskContext,
): Promise<Manifest> {
  const run = runPrefix(partition, input.executionId, input.rewrite)
  const spec = await readJson(curated, jobSpecKey(run), jobSpec, { signal })
  const result = await readJson(curated, jobResultKey(run, input.jobRunId), jobResult, { signal })
  if (spec === undefined || result === undefined) {
    throw new GLUE_JOB_FAILED('the job ended well, and left no result')
  }
  const runs = await findJobRuns(curated, run, signal)
  const { misfit, learned, columns } = result.value
  if (misfit) throw describeMisfit(misfit)
  const warnings =
    current && input.rewrite
      ? current.warnings
      : await check(spec.value, result.value, partition, curated, signal)
  const { types, sources, fileType, recast = [], rewrites } = spec.value
  const given = new Map(Object.entries(types).map(([name, type]) => [sameName(name), parseType(type)]))
  const beforeRetyping = (widened: readonly TableColumn[]) =>
    refuseLargeRewrite(widened, partition, curated, maxRewriteBytes, signal)
  await recordTypes(curated, partition, { learned, given, written: columns, beforeRetyping }, signal)
  return {
    ds: input.ds,
    correlationId: input.correlationId,
    glueRunId: input.jobRunId,
    failedRunIds: runs.filter(id => id !== input.jobRunId),
    rowCount: result.value.rowCount,
    files: result.value.files,
    prefix: jobRunPrefix(run, input.jobRunId),
    columns,
    schemaHash: schemaHash(columns),
    ...(rewrites && current
      ? {
          sourceCount: current.sourceCount,
          sources: current.sources,
          fileType: current.fileType,
          recast: [...new Set([...(current.recast ?? []), ...recast])],
        }
      : { sourceCount: sources.length, sources, fileType }),
    warnings,
    publishedAt: new Date(now()).toISOString(),
  }
}

const kindNames: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  longInteger: 'a whole number of more than 63 bits',
  fraction: 'a fraction',
  exponent: 'a number with an exponent',
  boolean: 'true or false',
  date: 'a date',
  localTime: 'a time without a zone',
  zonedTime: 'a time with a zone',
  text: 'a text',
  object: 'an object',
  list: 'a list',
}

function describeMisfit({ file, row, column, kind, type }: Misfit): TaskError {
  const found = kindNames[kind] ?? kind
  return new DQ_FAILED(
    `new_type: column ${column} is ${type}, and row ${row} of ${file} has ${found}; correct the file, or set on_new_type or types for the table`,
    { details: { file, row, column, kind } },
  )
}

/** @throws SCHEMA_CHECK_FAILED where more would have to be rewritten than is allowed */
async function refuseLargeRewrite(
  columns: readonly TableColumn[],
  partition: Partition,
  curated: PublishPorts['curated'],
  maxBytes: number,
  signal: AbortSignal,
): Promise<void> {
  const days = await findStaleDays(curated, partition, columns, signal)
  const others = days.filter(day => day.partition.ds !== partition.ds)
  const bytes = others.reduce((sum, { manifest }) => sum + statsOf(manifest).bytesWritten, 0)
  if (bytes <= maxBytes) return
  const names = [...new Set(others.flatMap(({ manifest }) => staleColumns(columns, manifest.columns)))]
  const columnsOf = [...new Set(names.map(({ name }) => name))].slice(0, 5).join(', ')
  throw new SCHEMA_CHECK_FAILED(
    `${partitionName(partition)} needs a wider type for ${columnsOf}, and ${others.length} days of ${bytes} bytes would have to be rewritten, but at most ${maxBytes} bytes may be; set MAX_REWRITE_MB higher, give the type in the settings of the table, or correct the raw files`,
  )
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
