import type { States } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../engine.ts'
import { createVirtualClock } from '../time/clock.ts'

const arn = 'arn:aws:lambda:us-east-1:000000000000:function:work'

async function run(state: object, input: unknown, answer: unknown = null) {
  const engine = createEngine({
    definition: { StartAt: 'S', States: { S: { End: true, ...state } } as unknown as States },
    clock: createVirtualClock(),
    invoke: () => answer,
  })
  const { result } = engine.run(input)
  const ended = await result
  return ended.status === 'SUCCEEDED' ? ended.output : ended
}

function task(fields: object) {
  return { Type: 'Task', Resource: arn, ...fields }
}

describe('JSONPath data flow', () => {
  it.each([
    ['the whole input by default', { Type: 'Pass' }, { a: 1 }, { a: 1 }],
    ['what InputPath selects', { Type: 'Pass', InputPath: '$.a' }, { a: [1] }, [1]],
    ['nothing for a null InputPath', { Type: 'Pass', InputPath: null }, { a: 1 }, {}],
    ['what OutputPath selects', { Type: 'Pass', OutputPath: '$.a' }, { a: 2 }, 2],
    ['nothing for a null OutputPath', { Type: 'Pass', OutputPath: null }, { a: 1 }, {}],
    ['a falsy Result', { Type: 'Pass', Result: false }, { a: 1 }, false],
    ['Result at its path', { Type: 'Pass', Result: 7, ResultPath: '$.b.c' }, { a: 1 }, { a: 1, b: { c: 7 } }],
    ['the input for a null ResultPath', { Type: 'Pass', Result: 7, ResultPath: null }, { a: 1 }, { a: 1 }],
    [
      'Parameters made of the effective input',
      { Type: 'Pass', InputPath: '$.a', Parameters: { 'b.$': '$.b', c: 'const', d: [{ 'e.$': '$' }] } },
      { a: { b: 1 } },
      { b: 1, c: 'const', d: [{ e: { b: 1 } }] },
    ],
    [
      'a list where an indefinite path finds none',
      { Type: 'Pass', Parameters: { 'x.$': '$.y[*]' } },
      {},
      { x: [] },
    ],
    [
      'Parameters that only look like paths',
      { Type: 'Pass', Parameters: { x: '$.a' } },
      { a: 1 },
      { x: '$.a' },
    ],
  ])('passes on %s', async (_what, state, input, expected) => {
    expect(await run(state, input)).toEqual(expected)
  })

  it('puts a selected result into the raw input, not the effective one', async () => {
    const state = task({
      InputPath: '$.in',
      ResultSelector: { 'n.$': '$.deep.n', context: 'kept' },
      ResultPath: '$.out',
      OutputPath: '$',
    })
    expect(await run(state, { in: { x: 1 } }, { deep: { n: 5 } })).toEqual({
      in: { x: 1 },
      out: { n: 5, context: 'kept' },
    })
  })

  it('lets Assign see the result', async () => {
    const engine = createEngine({
      clock: createVirtualClock(),
      invoke: () => ({ id: 9 }),
      definition: {
        StartAt: 'T',
        States: {
          T: { Type: 'Task', Resource: arn, Assign: { 'id.$': '$.id' }, ResultPath: null, Next: 'P' },
          P: { Type: 'Pass', Parameters: { 'id.$': '$id', 'in.$': '$.in' }, End: true },
        },
      },
    })
    expect(await engine.run({ in: 1 }).result).toEqual({ status: 'SUCCEEDED', output: { id: 9, in: 1 } })
  })

  it('says which path was missing, and where', async () => {
    expect(await run({ Type: 'Pass', Parameters: { 'x.$': '$.none' } }, { a: 1 })).toEqual({
      status: 'FAILED',
      error: 'States.Runtime',
      cause:
        "An error occurred while executing the state 'S' (entered at the event id #2). The JSONPath '$.none' specified for the field 'x.$' could not be found in the input '{\"a\":1}'",
    })
    expect(await run({ Type: 'Pass', InputPath: '$.none' }, {})).toMatchObject({
      cause: expect.stringContaining("Invalid path '$.none' : No results for path: $['none']"),
    })
  })

  it('cannot put a result into something that is no object', async () => {
    expect(await run(task({ ResultPath: '$.r' }), 'text', 1)).toMatchObject({
      error: 'States.ResultPathMatchFailure',
    })
  })
})
