import type { ObjectStore } from '@stepwright/object-store'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import type { Campaigns } from './campaigns.ts'
import { databaseErrors } from './errors.ts'

export interface UploadPorts {
  readonly campaigns: Campaigns
  readonly store: Pick<ObjectStore, 'presignPut'>
  readonly uuid: () => string
}

const validSeconds = 15 * 60

/** GET /presigned-url: where the caller may put one CSV. With `content_length`, only one of that size. */
export const requestUpload = defineTask({
  name: 'request-upload',
  input: z.object({
    caller: z.string(),
    content_length: z.optional(z.coerce.number().check(z.int(), z.positive(), z.maximum(5 * 1024 ** 3))),
  }),
  output: z.object({ s3_key: z.string(), presigned_url: z.string() }),
  errors: databaseErrors,
  async run({ caller, content_length }, { campaigns, store, uuid }: UploadPorts) {
    const s3_key = `uploads/${uuid()}.csv`
    await campaigns.recordUpload(s3_key, caller)
    const { url } = await store.presignPut(s3_key, {
      contentType: 'text/csv',
      contentLength: content_length,
      expiresInSeconds: validSeconds,
    })
    return { s3_key, presigned_url: url }
  },
})
