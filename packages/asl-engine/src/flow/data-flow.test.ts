import type { StateMachine, States } from '@stepwright/asl'
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

describe('the limit of 256 KiB', () => {
  const half = 'x'.repeat(140_000)
  const arn = 'arn:aws:lambda:us-east-1:000000000000:function:work'
  const branch = { StartAt: 'B', States: { B: { Type: 'Pass', End: true } } } as const
  const processor = {
    ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
    ...branch,
  } as const

  it.each<[string, States, Partial<StateMachine>]>([
    [
      'Parameters',
      { S: { Type: 'Task', Resource: arn, Parameters: { 'a.$': '$.a', 'b.$': '$.a' }, End: true } },
      {},
    ],
    [
      'Arguments',
      {
        S: {
          Type: 'Task',
          Resource: arn,
          Arguments: ['{% $states.input.a %}', '{% $states.input.a %}'],
          End: true,
        },
      },
      { QueryLanguage: 'JSONata' },
    ],
    [
      'a Parallel in JSONata',
      { S: { Type: 'Parallel', Branches: [branch, branch], End: true } },
      { QueryLanguage: 'JSONata' },
    ],
    ['a Parallel', { S: { Type: 'Parallel', Branches: [branch, branch], End: true } }, {}],
    [
      'an ItemSelector',
      {
        S: {
          Type: 'Map',
          ItemsPath: '$.list',
          ItemSelector: { 'a.$': '$.a', 'b.$': '$.a' },
          ItemProcessor: branch,
          End: true,
        },
      },
      {},
    ],
  ])('holds for %s', async (_what, states, more) => {
    const definition: StateMachine = { StartAt: 'S', States: states, ...more }
    const engine = createEngine({ definition, clock: createVirtualClock(), invoke: () => 'small' })
    expect(await engine.run({ a: half, list: [1] }).result).toMatchObject({
      status: 'FAILED',
      error: 'States.DataLimitExceeded',
    })
  })

  it('makes batches smaller', async () => {
    const sizes: number[] = []
    const engine = createEngine({
      definition: {
        StartAt: 'M',
        States: {
          M: {
            Type: 'Map',
            ItemsPath: '$.list',
            ItemSelector: { 'a.$': '$.a' },
            ItemBatcher: { MaxItemsPerBatch: 10 },
            ItemProcessor: {
              ...processor,
              StartAt: 'T',
              States: { T: { Type: 'Task', Resource: arn, End: true } },
            },
            End: true,
          },
        },
      },
      clock: createVirtualClock(),
      invoke: (_arn, payload) => {
        sizes.push((payload as { Items: unknown[] }).Items.length)
        return null
      },
    })
    await engine.run({ a: 'x'.repeat(60_000), list: [1, 2, 3, 4, 5] }).result
    expect(sizes).toEqual([4, 1])
  })
})

describe('variables', () => {
  const large = (characters: number) => 'x'.repeat(characters)

  async function runStates(language: 'JSONPath' | 'JSONata', states: States, input: unknown = {}) {
    const definition = { QueryLanguage: language, StartAt: 'S0', States: states } as StateMachine
    return createEngine({ definition, clock: createVirtualClock() }).run(input).result
  }

  const assigns = (count: number, value: unknown): States => ({
    ...(Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `S${index}`,
        { Type: 'Pass', Assign: { [`v${index}`]: value }, Next: `S${index + 1}` },
      ]),
    ) as unknown as States),
    [`S${count}`]: { Type: 'Succeed' },
  })

  it.each(['JSONPath', 'JSONata'] as const)(
    'set by one Assign have at most 256 KiB, in %s',
    async language => {
      const fits = large(262_144 - '{"v0":""}'.length)
      expect(await runStates(language, assigns(1, fits))).toMatchObject({ status: 'SUCCEEDED' })
      expect(await runStates(language, assigns(1, `${fits}x`))).toMatchObject({
        status: 'FAILED',
        error: 'States.DataLimitExceeded',
      })
    },
  )

  it('have at most 10 MiB together, and count only what they hold last', async () => {
    const value = large(250_000)
    expect(await runStates('JSONPath', assigns(41, value))).toMatchObject({ status: 'SUCCEEDED' })
    expect(await runStates('JSONPath', assigns(42, value))).toMatchObject({
      error: 'States.DataLimitExceeded',
      cause: "The state 'S41' assigns variables with a size exceeding the maximum of 10485760 bytes.",
    })
    const again = Object.fromEntries(
      Object.entries(assigns(60, value)).map(([name, state]) => [
        name,
        'Assign' in state ? { ...state, Assign: { same: value } } : state,
      ]),
    ) as unknown as States
    expect(await runStates('JSONPath', again)).toMatchObject({ status: 'SUCCEEDED' })
  })
})
