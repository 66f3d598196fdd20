import * as z from 'zod/mini'

const text = z.string().check(z.minLength(1))

export const databaseSettings = /* @__PURE__ */ z.object({ DATABASE_URL: z.url() })

/** What the function `csv-processor` is told by its deployment. */
export const processorSettings = /* @__PURE__ */ z.object({
  ...databaseSettings.shape,
  AUDIT_TABLE_NAME: text,
  /** `id:base64`, several separated by commas: the first signs, the others verify. */
  AUDIT_KEYS: text,
  /** How long entries of the trail are kept. */
  AUDIT_DAYS: z._default(z.coerce.number().check(z.int(), z.positive()), 400),
})

export const starterSettings = /* @__PURE__ */ z.object({ STATE_MACHINE_ARN: text })

export type DatabaseSettings = z.output<typeof databaseSettings>
export type ProcessorSettings = z.output<typeof processorSettings>
export type StarterSettings = z.output<typeof starterSettings>
