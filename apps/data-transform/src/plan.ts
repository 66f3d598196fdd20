import * as z from 'zod/mini'
import {
  catalogUpdateSchema,
  daySchema,
  environmentSchema,
  fileTypeSchema,
  nameSchema,
} from './transform-input.ts'

/** What an execution does: made of its input, once, and given to every state. */
export const transformPlan = z.object({
  environment: environmentSchema,
  domain: nameSchema,
  table_name: nameSchema,
  reprocess: z.boolean(),
  catalog_update: catalogUpdateSchema,
  file_type: z.optional(fileTypeSchema),
  raw_prefix: z.optional(z.string()),
})
export type TransformPlan = z.infer<typeof transformPlan>

/** Beyond it, an execution's history could become too long: a Map of this size stays below 25,000 events. */
export const maxDaysOfMap = 92

/** What every state of a day is given. */
export const dayInput = z.object({
  correlationId: z.string(),
  /** The execution's ARN: whose lock it is. */
  executionId: z.string(),
  plan: transformPlan,
  ds: daySchema,
  /** Whether the day is in place, and only gets the types that the table has by now. */
  rewrite: z.boolean(),
})
export type DayInput = z.infer<typeof dayInput>

export function partitionOf({ plan: { domain, table_name }, ds }: Pick<DayInput, 'plan' | 'ds'>) {
  return { domain, table_name, ds }
}
