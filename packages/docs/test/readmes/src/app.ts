import { type App, defineApp } from '@stepwright/app'
import { bucket, workflow } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { validate } from './tasks.ts'

const orders = bucket('orders')
const ordering = workflow('order')

/** Stands for the app of a reader's project. */
export const app: App = defineApp({
  name: 'shop',
  root: new URL('..', import.meta.url),
  resources: { orders },
  functions: { Validate: lambda(validate, {}) },
  workflows: [[ordering, { definition: 'order.asl.json', substitutions: { Orders: orders } }]],
})
