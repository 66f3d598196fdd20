import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { type Partition, runsPrefix } from './dataset.ts'
import { dataFile } from './manifest.ts'
import { columnSchema } from './schema-fingerprint.ts'
import { columnTypeSchema, qualityRule } from './table-settings.ts'
import { daySchema, fileTypeSchema } from './transform-input.ts'

const count = z.int().check(z.nonnegative())

/** What a job has to do: written by Preflight, read by the job, whichever engine that is. */
export const jobSpec = z.object({
  correlationId: z.string(),
  ds: daySchema,
  fileType: fileTypeSchema,
  delimiter: z.string(),
  types: z.record(z.string(), columnTypeSchema),
  deduplicate: z.boolean(),
  rawBucket: z.string(),
  /** Bound to what Preflight saw. */
  sources: z.array(z.object({ key: z.string(), size: count, etag: z.string() })),
  /** Figures to compute of all rows; one of a column that is missing is null. */
  metrics: z.array(z.object({ column: z.string(), sql: z.string() })),
  /** For whoever publishes the result. */
  rules: z.array(qualityRule),
})
export type JobSpec = z.infer<typeof jobSpec>

/** What a job says of what it wrote: written last, so that a job that was killed has none. */
export const jobResult = z.object({
  rowCount: count,
  files: z.array(dataFile),
  columns: z.array(columnSchema),
  figures: z.array(z.nullable(z.number())),
})
export type JobResult = z.infer<typeof jobResult>

/** Where an execution's jobs for a partition write: nobody reads it until a manifest says so. */
export function runPrefix(partition: Partition, executionId: string): string {
  const run = createHash('sha256').update(executionId).digest('hex').slice(0, 16)
  return `${runsPrefix(partition)}${run}/`
}

export function jobSpecKey(prefix: string): string {
  return `${prefix}_job.json`
}

/** Each job run has a place of its own: one that was given up may still be writing. */
export function jobRunPrefix(prefix: string, jobRunId: string): string {
  return `${prefix}${jobRunId}/`
}

export function jobResultKey(prefix: string, jobRunId: string): string {
  return `${jobRunPrefix(prefix, jobRunId)}_result.json`
}
