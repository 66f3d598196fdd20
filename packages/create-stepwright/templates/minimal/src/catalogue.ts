import type { Catalogue } from './price-order.ts'

const prices = new Map([
  ['mug', 900],
  ['poster', 2500],
])

/** Put your own here: a table, an API. */
export function createCatalogue(): Catalogue {
  return { priceOf: async product => prices.get(product) }
}
