import * as z from 'zod/mini'
import { daySchema, nameSchema } from './transform-input.ts'

const count = z.int().check(z.nonnegative())
const partition = z.string().check(z.regex(/^ds=\d{4}-\d{2}-\d{2}$/))
const correlationId = z.string()

export const transformStats = z.object({
  rowCount: count,
  bytesWritten: count,
  fileCount: count,
})
export type TransformStats = z.infer<typeof transformStats>

export const noStats: TransformStats = { rowCount: 0, bytesWritten: 0, fileCount: 0 }

export const failureCode = z.enum([
  'PRE_VALIDATION_FAILED',
  'IDEMPOTENT_SKIP',
  'NO_RAW_DATA',
  'GLUE_JOB_FAILED',
  'DQ_FAILED',
  'CRAWLER_FAILED',
  'SCHEMA_CHECK_FAILED',
  'TIMEOUT',
  'UNEXPECTED_ERROR',
])
export type FailureCode = z.infer<typeof failureCode>

export const transformFailure = z.object({
  code: failureCode,
  message: z.string(),
  partition: z.optional(partition),
})
export type TransformFailure = z.infer<typeof transformFailure>

/** What Preflight tells of a day. */
export const preflightOutput = z.object({
  proceed: z.boolean(),
  ds: daySchema,
  glue_args: z.record(z.string(), z.string()),
  /** Why there is nothing to do. */
  code: z.optional(z.literal('IDEMPOTENT_SKIP')),
  /** Whether the partition is in place already, and what it consists of. */
  published: z.boolean(),
  stats: transformStats,
  glueRunIds: z.array(z.string()),
})
export type PreflightOutput = z.infer<typeof preflightOutput>

/** What became of a day. */
export const dayResult = z.union([
  z.object({
    ok: z.literal(true),
    ds: daySchema,
    /** Whether the partition is in place: not so while another execution has it locked. */
    published: z.boolean(),
    /** Whether it only got the types that the table has by now. */
    rewrite: z.boolean(),
    /** False where this execution left it as it was. */
    proceed: z.boolean(),
    stats: transformStats,
    glueRunIds: z.array(z.string()),
    warnings: z.array(z.string()),
  }),
  z.object({
    ok: z.literal(false),
    ds: daySchema,
    rewrite: z.boolean(),
    error: transformFailure,
    /** Runs that failed. */
    glueRunIds: z.array(z.string()),
  }),
])
export type DayResult = z.infer<typeof dayResult>

const report = {
  correlationId,
  domain: nameSchema,
  table_name: nameSchema,
  /** Those in place, whichever execution published them. */
  partitions: z.array(partition),
  /** Those that this execution left as they were: published before, or locked by another. */
  skipped: z.array(partition),
  /** Those of other days, or of this one once more, that were rewritten because a column's type became wider. */
  rewritten: z.optional(z.array(partition)),
  stats: transformStats,
  glueRunIds: z.array(z.string()),
  /** Rules of data quality that do not hold and are not critical, with their partition. */
  warnings: z.array(z.string()),
}

export const transformOutput = z.object({
  ok: z.literal(true),
  /** False where there was nothing to do. */
  proceed: z.boolean(),
  ...report,
  /** Whether the catalog was updated. */
  crawled: z.boolean(),
})

/** The cause of an execution that failed. Of a wrong input there is nothing to report but the error. */
export const failurePayload = z.object({
  ok: z.literal(false),
  ...z.partial(z.object(report)).shape,
  correlationId,
  /** The first; of a backfill, `errors` has all. */
  error: transformFailure,
  errors: z.optional(z.array(transformFailure)),
})

export type TransformOutput = z.infer<typeof transformOutput>
export type FailurePayload = z.infer<typeof failurePayload>
