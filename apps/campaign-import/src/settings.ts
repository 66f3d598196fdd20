import * as z from 'zod/mini'

/** What a function reads from its environment, by what it needs. */
export const databaseSettings = z.object({ DATABASE_URL: z.string() })

export const storeSettings = z.object({ ...databaseSettings.shape, BUCKET_NAME: z.string() })

export const finalizeSettings = z.object({ ...databaseSettings.shape, SEND_STATE_MACHINE_ARN: z.string() })

export const registerSettings = z.object({
  ...storeSettings.shape,
  ...finalizeSettings.shape,
  IMPORT_STATE_MACHINE_ARN: z.string(),
})

export const sendSettings = z.object({
  ...databaseSettings.shape,
  /** Messages a second, as SES allows the account. */
  MAX_SEND_RATE: z.coerce.number().check(z.gte(1)),
})

export type DatabaseSettings = z.infer<typeof databaseSettings>
export type StoreSettings = z.infer<typeof storeSettings>
export type FinalizeSettings = z.infer<typeof finalizeSettings>
export type RegisterSettings = z.infer<typeof registerSettings>
export type SendSettings = z.infer<typeof sendSettings>
