import { lambda } from '@stepwright/app/functions'
import { executionName } from '@stepwright/idempotency'
import { executions } from '@stepwright/idempotency/bindings'
import { startExecution } from '@stepwright/idempotency/tasks'
import * as z from 'zod/mini'
import { importing } from '../resources.ts'

/** EventBridge's event for an object that was put into the bucket. */
const objectCreated = z.looseObject({
  detail: z.looseObject({
    bucket: z.looseObject({ name: z.string() }),
    object: z.looseObject({ key: z.string(), etag: z.string() }),
  }),
})

/** Starts one import for each version of an object, even if its event is delivered twice. */
const startImport = startExecution({
  name: 'start-import',
  event: objectCreated,
  executionName,
  executionInput: event => ({
    jobId: executionName(event),
    key: event.detail.object.key,
    etag: event.detail.object.etag,
  }),
})

export const StartImport = lambda(startImport, { workflow: executions(importing, 'start') })
