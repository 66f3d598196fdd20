import { expect, it } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import type { App } from './index.ts'
import { assertWorkflowInput, exampleWorkflowInput } from './workflow-input.ts'

const order = { id: z.string().min(2), lines: z.array(z.object({ count: z.int().positive() })).min(1) }
const app: App = {
  name: 'shop',
  root: new URL('.', import.meta.url),
  functions: {},
  workflows: {
    order: { definition: 'a.asl.json', input: z.object(order) },
    mini: { definition: 'a.asl.json', input: mini.object({ id: mini.string() }) },
    described: {
      definition: 'a.asl.json',
      input: { type: 'object', properties: { at: { type: 'string', format: 'date' } }, required: ['at'] },
    },
    anything: { definition: 'a.asl.json' },
  },
}

it('names the fields that the schema of a workflow refuses', async () => {
  await assertWorkflowInput(app, 'order', { id: 'a1', lines: [{ count: 1 }] })
  await expect(assertWorkflowInput(app, 'order', { id: 'a1', lines: [{ count: 0 }] })).rejects.toMatchObject({
    name: 'DataValidationError',
    message: expect.stringContaining('the workflow order does not take this input: lines.0.count: '),
    details: { issues: [{ path: 'lines.0.count', message: expect.any(String) }] },
  })
  await assertWorkflowInput(app, 'anything', 5)
})

it('makes an example that the schema takes', async () => {
  const example = exampleWorkflowInput(app, 'order')
  expect(example).toEqual({ id: 'text', lines: [{ count: 1 }] })
  await assertWorkflowInput(app, 'order', example)
  expect(exampleWorkflowInput(app, 'described')).toEqual({ at: '2030-01-01' })
})

it('makes none of a schema that cannot tell what it is', () => {
  expect(exampleWorkflowInput(app, 'mini')).toBeUndefined()
  expect(exampleWorkflowInput(app, 'anything')).toBeUndefined()
  const toJsonSchema = (schema: object) => z.toJSONSchema(schema as never) as Record<string, unknown>
  expect(exampleWorkflowInput({ ...app, toJsonSchema }, 'mini')).toEqual({ id: 'text' })
})
