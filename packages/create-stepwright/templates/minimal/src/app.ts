import { defineApp } from '@stepwright/app'
import { order, priceOrder } from './price-order.ts'
import { startSettings } from './settings.ts'
import { startOrder } from './start-order.ts'

const module = 'src/handlers.ts'

/** All that there is, said once: checked, run on this machine, and deployed from here. */
export const app = defineApp({
  name: '{{name}}',
  root: new URL('..', import.meta.url),
  functions: {
    PriceOrder: { module, export: 'price', task: priceOrder, timeoutSeconds: 20 },
    StartOrder: {
      module,
      export: 'start',
      task: startOrder,
      settings: startSettings,
      environment: { ORDER_ARN: { workflow: 'order', may: ['start'] } },
    },
  },
  workflows: {
    order: { definition: 'order.asl.json', input: order },
  },
  routes: {
    'POST /orders': { function: 'StartOrder' },
  },
})
