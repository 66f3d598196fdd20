import { type DurableContext, withDurableExecution } from '@aws/durable-execution-sdk-js'
import { runAsStep } from '@stepwright/task/durable'
import { openStock, reserveStock } from './task-reserve.ts'

export const handler = withDurableExecution(async (order: { sku: string }, context: DurableContext) => {
  const { left } = await runAsStep(context, reserveStock, order, { stock: openStock('stock') })
  return { left }
})
