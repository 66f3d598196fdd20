import { DataValidationError, isTaskError, PRE_VALIDATION_FAILED } from '@stepwright/errors'
import { type ObjectStore, readJson } from '@stepwright/object-store'
import * as z from 'zod/mini'
import { type Dataset, tableSettingsKey } from './dataset.ts'

const column = z.string().check(z.minLength(1), z.maxLength(255))
const severity = z._default(z.enum(['critical', 'warning']), 'critical')
const count = z.int().check(z.nonnegative())
const share = z.number().check(z.nonnegative(), z.lte(1))

/** A rule of data quality: a figure that is computed from the partition's rows, and what it may be at most. */
export const qualityRule = z.discriminatedUnion('rule', [
  /** The share of rows without a value. */
  z.strictObject({ rule: z.literal('null_ratio'), column, max: share, severity }),
  /** How many rows repeat a value that another row has. */
  z.strictObject({ rule: z.literal('unique'), column, max: z._default(count, 0), severity }),
  /** How many rows have a value outside; what is no number is outside. */
  z.strictObject({
    rule: z.literal('range'),
    column,
    minimum: z.optional(z.number()),
    maximum: z.optional(z.number()),
    max: z._default(count, 0),
    severity,
  }),
  /** How many rows have another value. */
  z.strictObject({
    rule: z.literal('accepted_values'),
    column,
    values: z.array(z.union([z.string(), z.number(), z.boolean()])).check(z.minLength(1), z.maxLength(1000)),
    max: z._default(count, 0),
    severity,
  }),
  /** How many rows a day must have at least. Without this rule, a day without rows is a warning. */
  z.strictObject({ rule: z.literal('row_count'), minimum: count, severity }),
  /** By which share of yesterday's rows the number of rows differs. */
  z.strictObject({ rule: z.literal('row_count_change'), max: z.number().check(z.nonnegative()), severity }),
])
export type QualityRule = z.infer<typeof qualityRule>

const decimal = z.string().check(
  z.regex(/^DECIMAL\([1-9]\d?,\d{1,2}\)$/),
  z.refine(text => {
    const [, precision, scale] = /(?<!\d)(\d+),(\d+)/.exec(text) ?? []
    return Number(precision) <= 38 && Number(scale) <= Number(precision)
  }, 'must have at most 38 digits, and as many after the point at most'),
)
const columnTypeSchema = z.union([
  z.enum(['BOOLEAN', 'BIGINT', 'DOUBLE', 'DATE', 'TIMESTAMP', 'VARCHAR']),
  decimal,
])

/** What happens where a value is not of the type that its column has so far. */
export const onNewTypeSchema = z.enum(['widen', 'fail'])

/** What is known of a table beforehand; an object in the curated bucket, which may be missing. */
export const tableSettings = z.strictObject({
  rules: z._default(z.array(qualityRule).check(z.maxLength(200)), []),
  /** Types that columns have whatever their values are: one that does not fit fails the day. */
  types: z._default(z.record(column, columnTypeSchema), {}),
  on_new_type: z._default(onNewTypeSchema, 'widen'),
  /** Whether rows that are equal in every column count once. */
  deduplicate: z._default(z.boolean(), false),
  /** Of CSV files. */
  delimiter: z._default(z.enum([',', ';', '\t', '|']), ','),
})
export type TableSettings = z.infer<typeof tableSettings>

/** A type of the settings as Spark and the catalog call it; a time is a moment, and of UTC where it has no zone. */
export function toGivenType(type: z.infer<typeof columnTypeSchema>): string {
  return type === 'VARCHAR' ? 'string' : type.toLowerCase()
}

/** @throws PRE_VALIDATION_FAILED for settings that are not as they should be */
export async function readTableSettings(
  curated: Pick<ObjectStore, 'get'>,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<TableSettings> {
  const key = tableSettingsKey(dataset)
  const found = await readJson(curated, key, tableSettings, { signal }).catch(error => {
    if (!isTaskError(error, DataValidationError)) throw error
    const place = String(Object(error.details).place)
    const what =
      place === '' ? 'must be an object of settings' : `must be as the README says, and ${place} is not`
    throw new PRE_VALIDATION_FAILED(`the settings of the table (${key}) ${what}`, {
      code: 'SETTINGS',
      details: { key, place },
    })
  })
  return found?.value ?? z.parse(tableSettings, {})
}
