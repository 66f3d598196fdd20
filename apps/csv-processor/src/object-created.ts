import { executionName } from '@stepwright/idempotency'
import type { S3ObjectCreated } from '@stepwright/task/object-created'
import * as z from 'zod/mini'

/** Which upload of its key an object is. */
export const upload = z.object({
  time: z.string().check(z.minLength(1)),
  object: z.looseObject({ sequencer: z.optional(z.string()) }),
})

/** The very version of the file that an event announces, and the job that this version is, whoever starts it. */
export function toCsvVersion(event: S3ObjectCreated) {
  const { bucket, object } = event.detail
  const versionId = object['version-id'] ?? object.versionId
  return { bucket: bucket.name, key: object.key, etag: object.etag, versionId, id: executionName(event) }
}

/** Greater for later uploads of the same key. */
export function toUploadOrder({ time, object }: z.output<typeof upload>): string {
  return `${time} ${object.sequencer ?? ''}`
}
