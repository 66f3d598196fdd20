import { type App, defineApp } from '@stepwright/app'
import { workflow } from '@stepwright/app/bindings'
import * as functions from './functions.ts'

/** An app whose parts refer to each other in circles. */
export const wired: App = defineApp({
  name: 'wired',
  root: new URL('.', import.meta.url),
  functionsModule: 'functions.ts',
  functions,
  workflows: [[workflow('countdown'), { definition: 'countdown.asl.json' }]],
  routes: { 'GET /link': functions.ShowLink },
})
