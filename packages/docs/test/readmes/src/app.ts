import { defineApp } from '@stepwright/app'
import { validate } from './tasks.ts'

/** Stands for the app of a reader's project. */
export const app = defineApp({
  name: 'shop',
  root: new URL('..', import.meta.url),
  resources: { buckets: { orders: {} } },
  functions: { Validate: { module: 'src/handlers.ts', export: 'validate', task: validate } },
  workflows: { order: { definition: 'order.asl.json' } },
})
