import * as z from 'zod/mini'

/** What the workflow is started with. */
export const importInput = z.object({ jobId: z.string(), key: z.string(), etag: z.string() })
