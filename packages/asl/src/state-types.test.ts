import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { stateTypesOf } from './index.ts'
import type { Json } from './language.ts'

const order = {
  StartAt: 'Prepare',
  States: {
    Prepare: {
      Type: 'Pass',
      Parameters: { 'sku.$': '$.sku', 'count.$': '$.count', source: 'web' },
      Next: 'Reserve',
    },
    Reserve: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: { FunctionName: 'reserve', Payload: { 'sku.$': '$.sku' } },
      ResultSelector: { 'left.$': '$.Payload.left' },
      ResultPath: '$.stock',
      Catch: [{ ErrorEquals: ['OutOfStock'], ResultPath: '$.error', Next: 'Tell' }],
      Next: 'Tell',
    },
    Tell: { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage', End: true },
    Never: { Type: 'Pass', End: true },
  },
} as unknown as Json

const tasks = {
  reserve: {
    name: 'reserve',
    errors: [],
    output: { type: 'object', properties: { left: { type: 'number' } }, required: ['left'] },
  },
}

describe('stateTypesOf', () => {
  const types = stateTypesOf(order, {
    tasks,
    input: z.object({ sku: z.string(), count: z.number().optional(), tags: z.array(z.enum(['a', 'b'])) }),
  })
  const of = (name: string) => types.find(state => state.name === name)

  it('types what each state is given, as TypeScript', () => {
    expect(of('Prepare')?.input).toBe(`{
  readonly sku: string
  readonly count?: number
  readonly tags: readonly ("a" | "b")[]
}`)
    expect(of('Reserve')?.input).toBe(`{
  readonly sku: string
  readonly count: number
  readonly source: "web"
}`)
  })

  it('marks what only some of the ways bring as optional', () => {
    expect(of('Tell')?.input).toContain('readonly stock?: {\n    readonly left: number\n  }')
    expect(of('Tell')?.input).toContain('readonly error?: {')
  })

  it('types what a Task calls with, whether or not the task is known', () => {
    expect(of('Reserve')?.argument).toBe('{\n  readonly sku: string\n}')
    expect(of('Tell')?.argument).toBe(of('Tell')?.input)
    expect(of('Prepare')?.argument).toBeUndefined()
  })

  it('types what a function receives: a text is read as JSON, and null is an empty object', () => {
    const invoked = (type: readonly string[]) =>
      stateTypesOf(
        {
          StartAt: 'A',
          States: {
            A: {
              Type: 'Task',
              Resource: 'arn:aws:states:::lambda:invoke',
              Parameters: { FunctionName: 'f', 'Payload.$': '$' },
              End: true,
            },
          },
        },
        {
          input: {
            type,
            properties: { a: { type: 'number' } },
            required: ['a'],
            additionalProperties: false,
          },
        },
      )[0]?.argument
    expect(invoked(['object'])).toBe('{\n  readonly a: number\n}')
    expect(invoked(['object', 'null'])).toBe('{\n  readonly a?: number\n}')
    expect(invoked(['object', 'string'])).toBe('unknown')
  })

  it('knows nothing of a state that nothing leads to, nor of data that nobody describes', () => {
    expect(of('Never')?.input).toBeUndefined()
    expect(stateTypesOf(order)[0]?.input).toBe('unknown')
  })
})
