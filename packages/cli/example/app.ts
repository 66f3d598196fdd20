import { defineApp } from '@stepwright/app'
import { workflow } from '@stepwright/app/bindings'
import * as functions from './functions.ts'
import { person } from './greet.ts'

const greeting = workflow('greeting')

/** Checked, run on this machine, and deployed from here. */
export const app = defineApp({
  name: 'my-app',
  root: new URL('.', import.meta.url),
  functions,
  functionsModule: 'functions.ts',
  workflows: [[greeting, { definition: 'greeting.asl.json', input: person }]],
  triggers: {
    EveryDay: { schedule: 'rate(1 day)', input: { name: 'World' }, starts: greeting },
  },
})
