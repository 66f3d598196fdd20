import { startExecution } from '@stepwright/idempotency/tasks'
import { order } from './price-order.ts'

/** Starts the state machine once for each order, however often it is sent. */
export const startOrder = startExecution({
  name: 'start-order',
  event: order,
  executionName: ({ id }) => id,
})
