import { defineBusinessError, TemporaryError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod'

/** Trying again would not help: it is caught, never retried. */
export class NobodyThere extends defineBusinessError('NobodyThere') {}

export const person = z.object({ name: z.string() })

export const greet = defineTask({
  name: 'greet',
  input: person,
  output: z.object({ greeting: z.string() }),
  errors: [NobodyThere, TemporaryError],
  run({ name }) {
    if (name.trim() === '') throw new NobodyThere('there is nobody to greet')
    return { greeting: `Hello, ${name}!` }
  },
})
