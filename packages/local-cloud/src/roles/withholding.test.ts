import { defineApp } from '@stepwright/app'
import { bucket, reference } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { defineTask } from '@stepwright/task'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { createWithholding } from './withholding.ts'

const files = bucket('files')
const task = defineTask({
  name: 'work',
  input: z.any(),
  output: z.any(),
  errors: [],
  run: async (_: unknown, _ports: { name: string }) => null,
})
const reads = lambda(task, { name: reference(files, 'read in/*') })
const alsoReads = lambda(task, { name: reference(files, 'read in/*') })
const writes = lambda(task, { name: reference(files, 'write out/*') })

it('tries the same role of those that are allowed the same, whatever the order of the declaration', () => {
  const app = { name: 'shop', root: new URL('.', import.meta.url), resources: { files } }
  const one = createWithholding(
    defineApp({ ...app, functions: { Reads: reads, AlsoReads: alsoReads, Writes: writes } }),
  )
  const other = createWithholding(
    defineApp({ ...app, functions: { Writes: writes, AlsoReads: alsoReads, Reads: reads } }),
  )
  expect(one.statements).toEqual(other.statements)
  expect(one.statements.map(([role]) => role)).toContain('AlsoReads')
  expect(one.statements.map(([role]) => role)).not.toContain('Reads')
})
