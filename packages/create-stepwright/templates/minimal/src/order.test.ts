import { readFile } from 'node:fs/promises'
import { bind, errorMatrix, runWorkflow } from '@stepwright/asl-engine/testing'
import { TemporaryError } from '@stepwright/errors'
import { expect, it } from 'vitest'
import { createCatalogue } from './catalogue.ts'
import { priceOrder } from './price-order.ts'
import '@stepwright/asl/vitest'

/** The definition that is deployed, on ports in memory and in virtual time. */
const definition = JSON.parse(await readFile(new URL('../order.asl.json', import.meta.url), 'utf8'))
const tasks = { PriceOrder: bind(priceOrder, { catalogue: createCatalogue() }) }
const small = { id: 'small', lines: [{ product: 'mug', count: 1 }] }
const large = { id: 'large', lines: [{ product: 'poster', count: 2 }] }

it('ships large orders for free', async () => {
  const run = await runWorkflow(definition, { tasks, input: large })
  expect(run).toHaveSucceeded()
  expect(run.path).toEqual(['PriceOrder', 'IsLarge', 'ShipForFree'])
  expect(run.output).toEqual({ ...large, price: { totalCents: 5000, shippingCents: 0 } })
})

it('gets over a catalogue that does not answer twice', async () => {
  const inject = [{ state: 'PriceOrder', attempts: [1, 2], error: TemporaryError }]
  const run = await runWorkflow(definition, { tasks, input: small, inject })
  expect(run).toHaveSucceeded()
  expect(run.attempts('PriceOrder')).toBe(3)
})

it('refuses an unknown product at once', async () => {
  const input = { id: 'odd', lines: [{ product: 'unicorn', count: 1 }] }
  const run = await runWorkflow(definition, { tasks, input })
  expect(run).toMatchObject({ status: 'FAILED', error: 'UnknownProduct', path: ['PriceOrder', 'Refuse'] })
})

it('does with every error what its class says', async () => {
  await errorMatrix(definition, tasks, { inputs: [small, large] })
})
