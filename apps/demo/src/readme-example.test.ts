import { catchFor, checkWorkflow, retryFor } from '@stepwright/asl'
import { DatabaseConnectionError, defineBusinessError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { toLambdaHandler } from '@stepwright/task/lambda'
import { expect, it } from 'vitest'
import * as z from 'zod'

class OutOfStock extends defineBusinessError('OutOfStock', { httpStatus: 409 }) {}

const reserve = defineTask({
  name: 'reserve-stock',
  input: z.object({ sku: z.string() }),
  output: z.object({ left: z.int() }),
  errors: [OutOfStock, DatabaseConnectionError],
  async run({ sku }, { stock }: { stock: Map<string, number> }) {
    const left = (stock.get(sku) ?? 0) - 1
    if (left < 0) throw new OutOfStock(`no ${sku} left`, { details: { sku } })
    stock.set(sku, left)
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
  expect(await reserve.run({ sku: 'A1' }, { stock: new Map([['A1', 3]]) })).toEqual({ left: 2 })
  const sound = workflow(retryFor(reserve), catchFor(reserve, { '*': 'Refuse' }))
  expect(checkWorkflow(sound, { tasks: [reserve] })).toEqual([])
  const typo = workflow([{ ErrorEquals: ['DatabaseConectionError'] }], [])
  expect(checkWorkflow(typo, { tasks: [reserve] })[0]?.message).toContain('DatabaseConnectionError')
})

export const handler = toLambdaHandler(reserve, { ports: { stock: new Map() } })
