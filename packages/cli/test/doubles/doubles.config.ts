import type { App } from '@stepwright/app'
import { defineTask } from '@stepwright/task'
import * as z from 'zod'

const task = defineTask({ name: 'any', input: z.any(), output: z.any(), errors: [], run: () => null })
const common = { module: 'handlers.ts', kind: 'call', task } as const

export default {
  name: 'doubles',
  root: new URL('.', import.meta.url),
  functions: {
    Count: { ...common, export: 'count' },
    Flaky: { ...common, export: 'flaky' },
    Fails: { ...common, export: 'fails' },
  },
  workflows: {
    doubles: { definition: 'doubles.asl.json', input: z.object({ count: z.int().min(2) }) },
    refused: { definition: 'refused.asl.json', type: 'EXPRESS' },
  },
  routes: { 'POST /count': { function: 'Count' } },
} satisfies App
