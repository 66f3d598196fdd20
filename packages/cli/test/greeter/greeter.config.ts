import type { App } from '@stepwright/app'
import { defineTask } from '@stepwright/task'
import * as z from 'zod'

const task = defineTask({ name: 'greet', input: z.any(), output: z.any(), errors: [], run: () => null })

export default {
  name: 'greeter',
  root: new URL('.', import.meta.url),
  functions: {
    Greet: { module: 'handlers.ts', kind: 'call', export: 'greet', task },
    Ask: { module: 'handlers.ts', kind: 'call', export: 'ask', task },
  },
  workflows: {
    greeting: { definition: 'greeting.asl.json' },
    patience: { definition: 'patience.asl.json' },
  },
  routes: { 'GET /greeting': { function: 'Greet', authorized: false } },
} satisfies App
