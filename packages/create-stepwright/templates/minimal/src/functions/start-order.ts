import { http } from '@stepwright/app/functions'
import { executions } from '@stepwright/idempotency/bindings'
import { startExecution } from '@stepwright/idempotency/tasks'
import { order } from '../price-order.ts'
import { ordering } from '../resources.ts'

/** Starts the workflow once for each order, even if the order is sent twice. */
const startOrder = startExecution({ name: 'start-order', event: order, executionName: ({ id }) => id })

const workflow = executions(ordering, 'start')
export const StartOrder = http(startOrder, { workflow }, { successStatus: 202 })
