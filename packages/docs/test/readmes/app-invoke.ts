import { lambda } from '@stepwright/app/functions'
import { type Invoke, invoke } from '@stepwright/app/invoke'
import { defineTask } from '@stepwright/task'
import * as z from 'zod'
import type { writeChunk } from './src/tasks.ts'

const importFile = defineTask({
  name: 'import-file',
  input: z.object({ chunk: z.int() }),
  output: z.object({ rows: z.int() }),
  errors: [],
  run: ({ chunk }, { write }: { write: Invoke<typeof writeChunk> }) => write({ chunk }),
})

export const ImportFile = lambda(importFile, { write: invoke<typeof writeChunk>('WriteChunk') })
