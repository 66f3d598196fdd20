import { defineBusinessError, TemporaryError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { z } from 'zod'

export class OutOfStock extends defineBusinessError('OutOfStock') {}

export interface Warehouse {
  /**
   * Resolves to what is left; rejects with TemporaryError when the warehouse does not answer. Asked again for the same
   * order, it takes nothing more.
   */
  take(orderId: string, sku: string, count: number): Promise<number>
}

export const reserveStock = defineTask({
  name: 'reserve-stock',
  input: z.object({ orderId: z.string(), sku: z.string(), count: z.number() }),
  output: z.object({ left: z.number() }),
  errors: [TemporaryError, OutOfStock],
  run: async ({ orderId, sku, count }, ports: { readonly warehouse: Warehouse }) => {
    const left = await ports.warehouse.take(orderId, sku, count)
    if (left < 0) throw new OutOfStock(`${-left} of ${sku} are missing`)
    return { left }
  },
})
