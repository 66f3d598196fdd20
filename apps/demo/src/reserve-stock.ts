import { DatabaseConnectionError, defineBusinessError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'

class OutOfStock extends defineBusinessError('OutOfStock', { httpStatus: 409 }) {}

export interface Stock {
  /** What is left afterwards; undefined if there is not enough. */
  take(sku: string, count: number): Promise<number | undefined>
}

/** The task that the demo runs in all its places. */
export const reserveStock = defineTask({
  name: 'reserve-stock',
  input: z.object({ sku: z.string(), count: z.int().check(z.positive('must be above 0')) }),
  output: z.object({ left: z.int() }),
  errors: [OutOfStock, DatabaseConnectionError],
  async run({ sku, count }, { stock }: { stock: Stock }) {
    const left = await stock.take(sku, count)
    if (left === undefined) {
      throw new OutOfStock(`not enough of ${sku}`, { code: 'LOW', details: { sku, asked: count } })
    }
    return { left }
  },
})

export function memoryStock(left: Record<string, number>): Stock {
  return {
    async take(sku, count) {
      const here = left[sku] ?? 0
      if (here < count) return undefined
      left[sku] = here - count
      return left[sku]
    },
  }
}
