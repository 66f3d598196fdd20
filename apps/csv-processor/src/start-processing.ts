import { startExecution } from '@stepwright/idempotency/tasks'
import { objectCreatedEvent } from '@stepwright/task/object-created'
import { toCsvVersion } from './object-created.ts'

/**
 * What EventBridge calls for "Object Created": a rule that targets a state machine gives every delivery a name
 * of its own, so that the same object would be processed twice.
 */
export const startProcessing = startExecution({
  name: 'start-processing',
  event: objectCreatedEvent,
  executionName: event => toCsvVersion(event).id,
})
