import { expect, it } from 'vitest'
import { priceOrder } from './price-order.ts'

const catalogue = { priceOf: async (product: string) => (product === 'mug' ? 900 : undefined) }

it('adds up what the catalogue says', async () => {
  const lines = [{ product: 'mug', count: 2 }]
  expect(await priceOrder.run({ id: 'order-1', lines }, { catalogue })).toEqual({ totalCents: 1800 })
})

it('refuses what is not in the catalogue', async () => {
  const lines = [{ product: 'unicorn', count: 1 }]
  await expect(priceOrder.run({ id: 'order-1', lines }, { catalogue })).rejects.toMatchObject({
    name: 'UnknownProduct',
  })
})

it('says what is wrong with an order', async () => {
  await expect(priceOrder.run({ id: 'order-1', lines: [] }, { catalogue })).rejects.toMatchObject({
    name: 'DataValidationError',
  })
})
