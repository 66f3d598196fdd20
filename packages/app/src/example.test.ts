import { defineApp, physicalNames } from '@stepwright/app'
import { binding, bucket, workflow } from '@stepwright/app/bindings'
import { http, lambda } from '@stepwright/app/functions'
import { defineTask } from '@stepwright/task'
import { expect, it } from 'vitest'
import * as z from 'zod'

const reserve = defineTask({
  name: 'reserve-stock',
  input: z.object({ sku: z.string() }),
  output: z.object({ left: z.int() }),
  errors: [],
  run: ({ sku }, { stock }: { stock: Map<string, number> }) => ({ left: stock.get(sku) ?? 0 }),
})

// resources are values
const orders = bucket('orders', { expiry: [{ prefix: 'done/', days: 30 }] })
const ordering = workflow('order')

// a binding says what a port needs and how it is opened, at the first event
const stock = binding({ open: () => new Map([['A1', 2]]) })

// a function is one statement: a task and its bindings
const functions = {
  Reserve: lambda(reserve, { stock }, { timeoutSeconds: 10 }), // ${Reserve} in a definition
  ShowStock: http(reserve, { stock }),
}

const app = defineApp({
  name: 'shop',
  root: new URL('..', import.meta.url), // paths are relative to it
  functions, // usually import * as functions from './functions/index.ts', a file for each
  resources: { orders },
  workflows: [[ordering, { definition: 'order.asl.json' }]],
  routes: { 'GET /stock/{sku}': functions.ShowStock },
  triggers: { Ordered: { objectCreated: { bucket: orders, suffix: '.json' }, starts: ordering } },
  alarms: {
    OrderFailed: {
      description: 'An order failed.',
      metric: { workflow: ordering, name: 'ExecutionsFailed' },
      above: 0,
    },
  },
})

it('is plain data for every tool, and a handler', async () => {
  expect(physicalNames(app).buckets).toEqual({ orders: 'shop-orders' })
  expect(await functions.Reserve.with({ stock: new Map([['A1', 7]]) })({ sku: 'A1' })).toEqual({ left: 7 })
})
