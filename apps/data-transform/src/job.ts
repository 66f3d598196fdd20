import { createHash } from 'node:crypto'
import type { ObjectStore } from '@stepwright/object-store'
import * as z from 'zod/mini'
import { type Partition, runsPrefix } from './dataset.ts'
import { columnSchema, dataFile, sourceFile } from './manifest.ts'
import { onNewTypeSchema, qualityRule } from './table-settings.ts'
import { daySchema, fileTypeSchema } from './transform-input.ts'
import { evidenceSchema } from './typing/evidence.ts'
import { tableColumn } from './typing/table-schema.ts'

const count = z.int().check(z.nonnegative())

/** What a job has to do: written by Preflight, read by the job, whichever engine that is. */
export const jobSpec = z.object({
  correlationId: z.string(),
  ds: daySchema,
  fileType: fileTypeSchema,
  delimiter: z.string(),
  /** Types that the table's settings give, by column. */
  types: z.record(z.string(), z.string()),
  /** What is known of the table's columns. */
  schema: z.array(tableColumn),
  onNewType: onNewTypeSchema,
  /** Whether the day is only to get the table's types: its sources are files of the curated bucket. */
  rewrites: z.boolean(),
  deduplicate: z.boolean(),
  rawBucket: z.string(),
  /** Bound to what Preflight saw. */
  sources: z.array(sourceFile),
  /** Columns that become texts of what is in Parquet. */
  recast: z.optional(z.array(z.string())),
  /** Figures to compute of all rows; one of a column that is missing is null. */
  metrics: z.array(z.object({ column: z.string(), sql: z.string() })),
  /** For whoever publishes the result. */
  rules: z.array(qualityRule),
})
export type JobSpec = z.infer<typeof jobSpec>

/** A value that is not of the type of its column. */
export const misfit = z.object({
  file: z.string(),
  /** From 1, without the header of a CSV file. */
  row: count,
  column: z.string(),
  kind: z.string(),
  type: z.string(),
})
export type Misfit = z.infer<typeof misfit>

/** What a job says of what it wrote: written last, so that a job that was killed has none. */
export const jobResult = z.object({
  rowCount: count,
  files: z.array(dataFile),
  columns: z.array(columnSchema),
  figures: z.array(z.nullable(z.number())),
  /** What its values have shown, where the table did not know it yet. */
  learned: z.array(z.object({ name: z.string(), evidence: evidenceSchema })),
  /** Why there are no files. */
  misfit: z.optional(misfit),
})
export type JobResult = z.infer<typeof jobResult>

/** Where an execution's jobs for a partition write: nobody reads it until a manifest says so. */
export function runPrefix(partition: Partition, executionId: string, rewrite: boolean): string {
  const id = rewrite ? `${executionId} rewrites` : executionId
  const run = createHash('sha256').update(id).digest('hex').slice(0, 16)
  return `${runsPrefix(partition)}${run}/`
}

export function jobSpecKey(prefix: string): string {
  return `${prefix}_job.json`
}

/** Each job run has a place of its own: one that was given up may still be writing. */
export function jobRunPrefix(prefix: string, jobRunId: string): string {
  return `${prefix}${jobRunId}/`
}

/** Written first: it tells of runs that failed. */
export function jobStartedKey(prefix: string, jobRunId: string): string {
  return `${jobRunPrefix(prefix, jobRunId)}_started.json`
}

/** The ids of all runs that an execution has started for a partition, as far as they came to work. */
export async function findJobRuns(
  curated: Pick<ObjectStore, 'list'>,
  prefix: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const started: { readonly id: string; readonly at: number }[] = []
  for await (const { key, lastModified } of curated.list(prefix, { signal })) {
    const [, id] = /^([^/]+)\/_started\.json$/.exec(key.slice(prefix.length)) ?? []
    if (id !== undefined) started.push({ id, at: lastModified.getTime() })
  }
  return started.toSorted((one, other) => one.at - other.at).map(({ id }) => id)
}

export function jobResultKey(prefix: string, jobRunId: string): string {
  return `${jobRunPrefix(prefix, jobRunId)}_result.json`
}
