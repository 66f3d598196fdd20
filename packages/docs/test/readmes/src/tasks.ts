import { defineTask } from '@stepwright/task'
import * as z from 'zod'

/** Stands for the tasks of a reader's project. */
export const validate = defineTask({
  name: 'validate',
  input: z.object({ key: z.string() }),
  output: z.object({ rowCount: z.int() }),
  errors: [],
  run: () => ({ rowCount: 1 }),
})

export const writeChunk = defineTask({
  name: 'write-chunk',
  input: z.object({ chunk: z.int() }),
  output: z.object({ rows: z.int() }),
  errors: [],
  run: () => ({ rows: 1 }),
})
