import { executionName } from '@stepwright/idempotency'
import * as z from 'zod/mini'

const text = z.string().check(z.minLength(1))

/** Which upload of its key an object is. */
export const upload = z.object({
  time: text,
  object: z.looseObject({ sequencer: z.optional(z.string()) }),
})

/** What an execution is started with: EventBridge's "Object Created". */
export const objectCreated = z.looseObject({
  time: text,
  detail: z.looseObject({
    bucket: z.looseObject({ name: text }),
    object: z.looseObject({
      key: text,
      size: z.int(),
      etag: text,
      sequencer: z.optional(z.string()),
      versionId: z.optional(z.string()),
      'version-id': z.optional(z.string()),
    }),
  }),
})

/** The very version of the file that an event announces, and the job that this version is, whoever starts it. */
export function toCsvVersion(event: z.output<typeof objectCreated>) {
  const { bucket, object } = event.detail
  const versionId = object['version-id'] ?? object.versionId
  return { bucket: bucket.name, key: object.key, etag: object.etag, versionId, id: executionName(event) }
}

/** Greater for later uploads of the same key. */
export function toUploadOrder({ time, object }: z.output<typeof upload>): string {
  return `${time} ${object.sequencer ?? ''}`
}
