import { defineApp } from '@stepwright/app'
import * as functions from './functions/index.ts'
import { order } from './price-order.ts'
import { ordering } from './resources.ts'

/** The whole app: `check`, `dev`, the tests and the deployment read this declaration. */
export const app = defineApp({
  name: '{{name}}',
  root: new URL('..', import.meta.url),
  functions,
  workflows: [[ordering, { definition: 'order.asl.json', input: order }]],
  routes: { 'POST /orders': functions.StartOrder },
})
