import { defineBusinessError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { toLambdaHandler } from '@stepwright/task/lambda'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'

class OutOfStock extends defineBusinessError('OutOfStock', { httpStatus: 409 }) {}

interface Stock {
  take(sku: string, count: number): Promise<number | undefined>
}

const reserve = defineTask({
  name: 'reserve-stock',
  input: z.object({ sku: z.string(), count: z.int() }),
  output: z.object({ left: z.int() }),
  errors: [OutOfStock],
  async run({ sku, count }, { stock }: { stock: Stock }) {
    const left = await stock.take(sku, count)
    if (left === undefined) throw new OutOfStock(`not enough of ${sku}`, { details: { sku, count } })
    return { left }
  },
})

const stock: Stock = { take: async (_, count) => (count > 3 ? undefined : 3 - count) }
const handler = toLambdaHandler(reserve, { ports: { stock } }) // export it from your Lambda's module

it('takes from the stock', async () => {
  expect(await reserve.run({ sku: 'A1', count: 2 }, { stock })).toEqual({ left: 1 })
  await expect(reserve.run({ sku: 'A1', count: 4 }, { stock })).rejects.toMatchObject({ name: 'OutOfStock' })
  expect(await handler({ sku: 'A1', count: 3 })).toEqual({ left: 0 })
})
