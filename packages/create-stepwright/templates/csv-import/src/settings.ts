import * as z from 'zod/mini'

export const databaseSettings = z.object({ DATABASE_URL: z.url() })
export const splitSettings = z.object({ BUCKET_NAME: z.string() })
export const writeSettings = z.object({ ...databaseSettings.shape, ...splitSettings.shape })
export const startSettings = z.object({ IMPORT_ARN: z.string() })
