import { defineTask } from '@stepwright/task'
import * as z from 'zod'

/** Stands for a task of a reader's project. */
interface Stock {
  take(sku: string): Promise<number>
}

export declare function openStock(tableName: string): Stock
export const reserveStock = defineTask({
  name: 'reserve-stock',
  input: z.object({ sku: z.string() }),
  output: z.object({ left: z.int() }),
  errors: [],
  run: async ({ sku }, { stock }: { stock: Stock }) => ({ left: await stock.take(sku) }),
})
