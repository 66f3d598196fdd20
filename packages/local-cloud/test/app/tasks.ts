import { defineTask } from '@stepwright/task'
import * as z from 'zod'

/** What the declaration needs to know of a handler; these do without a contract. */
export const anyTask = defineTask({
  name: 'any',
  input: z.unknown(),
  output: z.unknown(),
  errors: [],
  run: () => null,
})

/** One with a contract: what does not fit its input will never succeed. */
export const order = defineTask({
  name: 'order',
  input: z.object({ sku: z.string() }),
  output: z.object({ sku: z.string() }),
  errors: [],
  run: ({ sku }) => ({ sku }),
})
