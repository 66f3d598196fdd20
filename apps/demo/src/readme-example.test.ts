import { binding } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { catchFor, checkWorkflow, retryFor, type StateMachine } from '@stepwright/asl'
import { bind, errorMatrix } from '@stepwright/asl-engine/testing'
import { DatabaseConnectionError, defineBusinessError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { expect, it } from 'vitest'
import * as z from 'zod'

class OutOfStock extends defineBusinessError('OutOfStock', { httpStatus: 409 }) {}

interface Ports {
  stock: Map<string, number>
  orders: Set<string>
}
function createPorts(): Ports {
  return { stock: new Map([['A1', 3]]), orders: new Set() }
}

const reserve = defineTask({
  name: 'reserve-stock',
  input: z.object({ orderId: z.string(), sku: z.string() }),
  output: z.object({ left: z.int() }),
  errors: [OutOfStock, DatabaseConnectionError],
  async run({ orderId, sku }, { stock, orders }: Ports) {
    if (orders.has(orderId)) return { left: stock.get(sku) ?? 0 } // its response was lost: take no second one
    const left = (stock.get(sku) ?? 0) - 1
    if (left < 0) throw new OutOfStock(`no ${sku} left`, { details: { sku } })
    stock.set(sku, left)
    orders.add(orderId)
    return { left }
  },
})

const Reserve = { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:123456789012:function:reserve-stock' }
const Refuse = { Type: 'Fail', ErrorPath: '$.error.Error', CausePath: '$.error.Cause' }
function workflow(Retry: unknown, Catch: unknown) {
  return {
    StartAt: 'Reserve',
    TimeoutSeconds: 600,
    States: { Reserve: { ...Reserve, TimeoutSeconds: 10, Retry, Catch, End: true }, Refuse },
  }
}

it('is one contract for the code and the state machine', async () => {
  const input = { orderId: 'o1', sku: 'A1' }
  expect(await reserve.run(input, createPorts())).toEqual({ left: 2 })
  const sound = workflow(retryFor(reserve), catchFor(reserve, { '*': 'Refuse' }))
  expect(checkWorkflow(sound, { tasks: [reserve] })).toEqual([])
  const typo = workflow([{ ErrorEquals: ['DatabaseConectionError'] }], [])
  expect(checkWorkflow(typo, { tasks: [reserve] })[0]?.message).toContain('DatabaseConnectionError')
  // Every declared error at every state, and every response lost: one order takes one item from the stock.
  const tasks = () => ({ Reserve: bind(reserve, createPorts()) })
  await errorMatrix(sound as StateMachine, tasks, { inputs: [input], lostResponses: {} })
})

// A function of an app: the task and a binding for each of its ports. Without an app: toLambdaHandler(reserve, { ports }).
export const ReserveStock = lambda(reserve, {
  stock: binding({ open: () => createPorts().stock }),
  orders: binding({ open: () => createPorts().orders }),
})
