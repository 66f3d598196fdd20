import type { App } from '@stepwright/app'
import { defineTask } from '@stepwright/task'
import * as z from 'zod'
import { app } from '../src/app.ts'

const start = defineTask({
  name: 'bare',
  input: z.unknown(),
  output: z.unknown(),
  errors: [],
  run: () => null,
})

/** The app, with a bare handler beside its own. */
export const benchApp: App = {
  ...app,
  functions: {
    ...app.functions,
    Bare: {
      module: 'bench/handlers/bare.ts',
      export: 'start',
      kind: 'http',
      task: start,
      environment: {
        DATABASE_URL: { database: 'url' },
        STATE_MACHINE_ARN: { workflow: 'generation', may: ['start'] },
      },
    },
  },
  routes: { ...app.routes, 'POST /bare': { function: 'Bare' } },
}
