import { defineBusinessError, TemporaryError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod'

/** Trying again would not help: it is caught, never retried. */
export class UnknownProduct extends defineBusinessError('UnknownProduct') {}

/** What the task needs of its surroundings. A test gives it another one. */
export interface Catalogue {
  /** In cents; undefined for a product that nobody knows. Throws TemporaryError when it does not answer. */
  priceOf(product: string): Promise<number | undefined>
}

export const order = z.object({
  id: z.string().regex(/^[\w-]{1,80}$/),
  lines: z.array(z.object({ product: z.string(), count: z.int().positive() })).min(1),
})

export const priceOrder = defineTask({
  name: 'price-order',
  input: order,
  output: z.object({ totalCents: z.int() }),
  errors: [UnknownProduct, TemporaryError],
  async run({ lines }, { catalogue }: { catalogue: Catalogue }) {
    let totalCents = 0
    for (const { product, count } of lines) {
      const price = await catalogue.priceOf(product)
      if (price === undefined) throw new UnknownProduct(`there is no ${product}`, { details: { product } })
      totalCents += price * count
    }
    return { totalCents }
  },
})
