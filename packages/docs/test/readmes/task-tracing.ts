import { toLambdaHandler } from '@stepwright/task/lambda'
import { carryTrace, traceTask } from '@stepwright/task/tracing'
import { openStock, reserveStock } from './task-reserve.ts'

export const reserve = toLambdaHandler(traceTask(reserveStock), {
  ports: () => ({ stock: openStock('stock') }),
})

export const executionInput = JSON.stringify(carryTrace({ sku: 'A1' })) // for StartExecution
