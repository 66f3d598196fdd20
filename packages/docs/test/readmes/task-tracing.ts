import { toLambdaHandler } from '@stepwright/task/lambda'
import { carryTrace, traceTask } from '@stepwright/task/tracing'
import { openStock, reserveStock, settings } from './task-reserve.ts'

export const reserve = toLambdaHandler(traceTask(reserveStock), {
  settings,
  ports: ({ TABLE_NAME }) => ({ stock: openStock(TABLE_NAME) }),
})

export const executionInput = JSON.stringify(carryTrace({ sku: 'A1' })) // for StartExecution
