import * as z from 'zod/mini'

/** What a function reads from its environment, by what it needs. */
export const databaseSettings = z.object({ DATABASE_URL: z.string() })

export const executionSettings = z.object({ ...databaseSettings.shape, STATE_MACHINE_ARN: z.string() })

export const launchSettings = z.object({
  ...executionSettings.shape,
  /** How many generations may run at once. */
  MAX_WORKERS: z.coerce.number().check(z.gte(1)),
})

export const retrySettings = z.object({
  ...launchSettings.shape,
  /** How often a generation may be tried again. */
  MAX_RETRIES: z.coerce.number().check(z.gte(0)),
})

/** The state machine is whose states it answers. */
export const workerSettings = z.object({
  ...executionSettings.shape,
  /** The id of a Bedrock model, or `local`. */
  MODEL: z.string(),
  PARALLEL_CALLS: z.coerce.number().check(z.gte(1)),
  /** How the local generator behaves, in JSON. */
  LOCAL_SCRIPT: z.optional(z.string()),
})
