import * as z from 'zod/mini'
import { maxDaysOfMap } from './plan.ts'

const text = z.string().check(z.minLength(1))
const whole = z.coerce.number().check(z.int(), z.positive())

export const planSettings = /* @__PURE__ */ z.object({
  RAW_BUCKET: text,
  /** How many days one execution may ask for. */
  MAX_DAYS: z._default(whole.check(z.lte(maxDaysOfMap)), 31),
})

export const schemaSettings = /* @__PURE__ */ z.object({ CURATED_BUCKET: text })

export const lockSettings = /* @__PURE__ */ z.object({
  LOCK_TABLE: text,
  /** How long an execution that was stopped blocks its partitions. */
  LOCK_SECONDS: z._default(whole, 900),
})

export const publishSettings = /* @__PURE__ */ z.object({ ...schemaSettings.shape, ...lockSettings.shape })

export const preflightSettings = /* @__PURE__ */ z.object({ ...publishSettings.shape, RAW_BUCKET: text })

export const starterSettings = /* @__PURE__ */ z.object({
  STATE_MACHINE_ARN: text,
  ENVIRONMENT: z.enum(['dev', 'stg', 'prod']),
})
