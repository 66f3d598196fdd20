import { defineApp } from '@stepwright/app'
import { greet, person } from './greet.ts'

/** Checked, run on this machine, and deployed from here. */
export const app = defineApp({
  name: 'my-app',
  root: new URL('.', import.meta.url),
  functions: {
    Greet: { module: 'handlers.ts', export: 'handleGreet', task: greet },
  },
  workflows: {
    greeting: { definition: 'greeting.asl.json', input: person },
  },
  triggers: {
    EveryDay: { schedule: 'rate(1 day)', input: { name: 'World' }, starts: 'greeting' },
  },
})
