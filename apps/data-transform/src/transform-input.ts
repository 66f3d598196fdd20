import { PRE_VALIDATION_FAILED, type TaskError } from '@stepwright/errors'
import { closest } from '@stepwright/errors/spelling'
import { countDays, daysBetween, isDay } from '@stepwright/partitions'
import * as z from 'zod/mini'

export const nameSchema = z
  .string('must be a text')
  .check(z.regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'must be 1 to 63 lower-case letters, digits, "_" or "-"'))
export const daySchema = z
  .string('must be a text')
  .check(
    z.regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day as YYYY-MM-DD'),
    z.refine(isDay, 'must be a day of the calendar, as YYYY-MM-DD'),
  )
export const environmentSchema = z.enum(['dev', 'stg', 'prod'], 'must be one of dev, stg and prod')
export const fileTypeSchema = z.enum(['json', 'csv', 'parquet'], 'must be one of json, csv and parquet')
export const catalogUpdateSchema = z.enum(
  ['on_schema_change', 'never', 'force'],
  'must be one of on_schema_change, never and force',
)
const objectPart = z
  .string('must be a text')
  .check(z.minLength(1, 'must not be empty'), z.maxLength(1024, 'must have at most 1024 characters'))

/** What an execution is started with. `ds`, `date_range` and `source_key` exclude each other. */
export const transformInput = z.strictObject({
  environment: environmentSchema,
  domain: nameSchema,
  table_name: z.optional(nameSchema),
  /** The old name of `table_name`. */
  table: z.optional(nameSchema),
  ds: z.optional(daySchema),
  date_range: z.optional(z.strictObject({ start: daySchema, end: daySchema })),
  reprocess: z._default(z.boolean('must be true or false'), false),
  execution_id: z.optional(
    z
      .string('must be a text')
      .check(z.regex(/^[\w.:-]{1,128}$/, 'must be 1 to 128 letters, digits, "_", ".", ":" or "-"')),
  ),
  catalog_update: z._default(catalogUpdateSchema, 'on_schema_change'),
  source_bucket: z.optional(objectPart),
  source_key: z.optional(objectPart),
  file_type: z.optional(fileTypeSchema),
})

export type FileType = z.infer<typeof fileTypeSchema>

/** What an input asks for, whichever way it was said. */
export interface TransformRequest {
  readonly environment: z.infer<typeof environmentSchema>
  readonly domain: string
  readonly table_name: string
  readonly reprocess: boolean
  readonly execution_id?: string | undefined
  readonly catalog_update: z.infer<typeof catalogUpdateSchema>
  readonly file_type?: FileType | undefined
  readonly days: readonly string[]
  /** In S3 trigger mode: what the key of every raw file of the partition begins with. */
  readonly raw_prefix?: string | undefined
}

export interface InputLimits {
  readonly maxDays: number
  /** The only bucket that raw files are read from. */
  readonly rawBucket: string
}

/** @throws PRE_VALIDATION_FAILED that names the field, and never says what was in it */
export function parseTransformInput(value: unknown, limits: InputLimits): TransformRequest {
  const result = z.safeParse(transformInput, value)
  if (!result.success) throw violation(...describe(result.error.issues[0], value))
  const { table_name, table, source_bucket, source_key, ds, date_range, ...rest } = result.data
  if (table_name !== undefined && table !== undefined && table_name !== table) {
    throw violation('table', 'must be the same as table_name, or be left out')
  }
  const name = table_name ?? table
  if (name === undefined) throw violation('table_name', 'must be given')
  const request = { ...rest, table_name: name }
  if (source_bucket !== undefined || source_key !== undefined) {
    refuseBeside('source_key', { ds, date_range })
    return { ...request, ...fromSource(source_bucket, source_key, `${request.domain}/${name}/`, limits) }
  }
  refuseBeside('ds', { date_range: ds && date_range })
  if (ds !== undefined) return { ...request, days: [ds] }
  if (date_range === undefined) throw violation('ds', 'must be given, or date_range, or source_key')
  return { ...request, days: daysOf(date_range, limits) }
}

function daysOf({ start, end }: { start: string; end: string }, { maxDays }: InputLimits): readonly string[] {
  // Counted first: millions of days take more memory than a function has.
  const count = countDays(start, end)
  if (count === 0) throw violation('date_range.end', 'must not be before date_range.start')
  if (count > maxDays) {
    throw violation('date_range', `must have at most ${maxDays} days, and has ${count}`)
  }
  return daysBetween(start, end)
}

function fromSource(
  bucket: string | undefined,
  key: string | undefined,
  prefix: string,
  { rawBucket }: InputLimits,
): Pick<TransformRequest, 'days' | 'raw_prefix'> {
  if (bucket === undefined) throw violation('source_bucket', 'must be given with source_key')
  if (key === undefined) throw violation('source_key', 'must be given with source_bucket')
  if (bucket !== rawBucket) throw violation('source_bucket', 'must be the bucket of raw data')
  if (!key.startsWith(prefix)) {
    throw violation(
      'source_key',
      'must be a key of the table: it must begin with its domain and its table_name',
    )
  }
  const found = [...key.matchAll(/(?<=^|\/)(?:ds|ingestion_date)=([^/]*)\//g)]
  const [partition] = found
  if (partition === undefined) {
    throw violation(
      'source_key',
      'must hold the day of its partition, as "ds=YYYY-MM-DD/" or "ingestion_date=YYYY-MM-DD/"',
    )
  }
  if (found.length > 1)
    throw violation('source_key', 'must hold the day of one partition, and not of several')
  const [text, day = ''] = partition
  if (!isDay(day)) throw violation('source_key', 'must hold a day of the calendar, as YYYY-MM-DD')
  return { days: [day], raw_prefix: key.slice(0, partition.index + text.length) }
}

function refuseBeside(field: string, others: Readonly<Record<string, unknown>>): void {
  const [other] = Object.keys(others).filter(name => others[name] !== undefined)
  if (other !== undefined) throw violation(other, `must be left out where ${field} is given`)
}

function describe(
  issue: z.core.$ZodIssue | undefined,
  value: unknown,
): readonly [field: string, must: string] {
  if (issue?.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    const field = [...issue.path, /^[\w-]{1,64}$/.test(key) ? key : 'a field'].join('.')
    const meant = closest(key, Object.keys(transformInput.shape))
    return [
      field,
      `must be a field of the contract${meant === undefined ? '' : `; ${meant} is meant, perhaps`}`,
    ]
  }
  if (issue === undefined || issue.path.length === 0) return ['the input', 'must be an object']
  const found = issue.path.reduce<unknown>((at, key) => Object(at)[key], value)
  return [issue.path.join('.'), found === undefined ? 'must be given' : issue.message]
}

function violation(field: string, must: string): TaskError {
  return new PRE_VALIDATION_FAILED(`${field} ${must}`, { code: 'INPUT', details: { field } })
}
