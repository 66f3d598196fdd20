import type { Catalogue } from './price-order.ts'

const prices: Readonly<Record<string, number>> = { mug: 900, poster: 2500 }

/** Put your own here: a table, an API. */
export function createCatalogue(): Catalogue {
  return { priceOf: async product => prices[product] }
}
