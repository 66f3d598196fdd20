import * as z from 'zod/mini'

export const databaseSettings = z.object({ DATABASE_URL: z.string() })
export const jobSettings = z.object({ ...databaseSettings.shape, REPORT_ARN: z.string() })
