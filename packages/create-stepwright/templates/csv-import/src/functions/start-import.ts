import { lambda } from '@stepwright/app/functions'
import { executionName } from '@stepwright/idempotency'
import { executions } from '@stepwright/idempotency/bindings'
import { startExecution } from '@stepwright/idempotency/tasks'
import { objectCreatedEvent } from '@stepwright/task/object-created'
import { importing } from '../resources.ts'

/** Starts one import for each version of an object, even if its event is delivered twice. */
const startImport = startExecution({
  name: 'start-import',
  event: objectCreatedEvent,
  executionName,
  executionInput: event => ({
    jobId: executionName(event),
    key: event.detail.object.key,
    etag: event.detail.object.etag,
  }),
})

export const StartImport = lambda(startImport, { workflow: executions(importing, 'start') })
