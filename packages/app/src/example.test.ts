import { defineApp, physicalNames } from '@stepwright/app'
import { defineTask } from '@stepwright/task'
import { expect, it } from 'vitest'
import * as z from 'zod'

const reserve = defineTask({
  name: 'reserve-stock',
  input: z.object({ sku: z.string() }),
  output: z.object({ left: z.int() }),
  errors: [],
  run: () => ({ left: 2 }),
})

const app = defineApp({
  name: 'shop',
  root: new URL('..', import.meta.url), // paths below are relative to it
  resources: { buckets: { orders: { expiry: [{ prefix: 'done/', days: 30 }] } } },
  functions: {
    Reserve: {
      module: 'src/handlers.ts',
      export: 'reserve',
      task: reserve,
      timeoutSeconds: 10,
      environment: { ORDERS_BUCKET: { bucket: 'orders', may: ['read'] } },
    },
  },
  workflows: { order: { definition: 'order.asl.json' } }, // ${Reserve} in it is the function
  routes: { 'GET /stock/{sku}': { function: 'Reserve' } },
  triggers: { Ordered: { objectCreated: { bucket: 'orders', suffix: '.json' }, starts: 'order' } },
  alarms: {
    OrderFailed: {
      description: 'An order was not carried out.',
      metric: { workflow: 'order', name: 'ExecutionsFailed' },
      above: 0,
    },
  },
})

it('is data', () => {
  expect(physicalNames(app).buckets).toEqual({ orders: 'shop-orders' })
})
