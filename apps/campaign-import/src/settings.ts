import * as z from 'zod/mini'

/** What a function reads from its environment, by what it needs. */
export const databaseSettings = z.object({ DATABASE_URL: z.string() })

export const storeSettings = z.object({ BUCKET_NAME: z.string() })

export const dataSettings = z.object({ ...databaseSettings.shape, ...storeSettings.shape })

export const finalizeSettings = z.object({ ...databaseSettings.shape, SEND_STATE_MACHINE_ARN: z.string() })

export const startSettings = z.object({ SEND_STATE_MACHINE_ARN: z.string() })

export const sweepSettings = z.object({ ...finalizeSettings.shape, IMPORT_STATE_MACHINE_ARN: z.string() })

export const registerSettings = z.object({
  ...sweepSettings.shape,
  ...storeSettings.shape,
  /** Addresses and domains that may be sent from, with commas between them. */
  ALLOWED_SENDERS: z.string(),
})

const tokenSettings = z.object({
  /** 32 bytes each in base64, with commas between them: the first seals the tokens in mails, all of them open. */
  UNSUBSCRIBE_KEYS: z.string(),
})

export const sendSettings = z.object({
  ...databaseSettings.shape,
  /** Messages a second, as SES allows the account. */
  MAX_SEND_RATE: z.coerce.number().check(z.gte(1)),
  /** Where the API is reached from outside, for the links in mails. */
  PUBLIC_URL: z.url(),
  /** Whose event destination tells what became of messages. @default that of the sender's identity */
  CONFIGURATION_SET: z.optional(z.string()),
  ...tokenSettings.shape,
})

export const unsubscribeSettings = z.object({ ...databaseSettings.shape, ...tokenSettings.shape })
