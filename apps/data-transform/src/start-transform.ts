import { executionName } from '@stepwright/idempotency'
import { startExecution } from '@stepwright/idempotency/tasks'
import * as z from 'zod/mini'

const text = z.string().check(z.minLength(1))

/** The part of EventBridge's "Object Created" that is needed. */
const objectCreated = z.looseObject({
  detail: z.looseObject({
    bucket: z.looseObject({ name: text }),
    object: z.looseObject({ key: text, etag: text }),
  }),
})

/**
 * What the marker of a partition that is complete calls: `orders/daily/ds=2025-09-07/_SUCCESS`. Of a key that is not
 * of this form an execution is started too, and fails, so that somebody hears of it.
 */
export const startTransform = startExecution({
  name: 'start-transform',
  event: objectCreated,
  executionName,
  executionInput({ detail: { bucket, object } }) {
    const [domain, table_name] = object.key.split('/')
    return { domain, table_name, source_bucket: bucket.name, source_key: object.key }
  },
})
