import type { StateMachine, States } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { createEngine, type EngineOptions } from '../engine.ts'
import { TaskFailure } from '../task/ports.ts'
import { createVirtualClock } from '../time/clock.ts'
import { compileExpression } from './jsonata-expression.ts'

const start = Date.UTC(2024, 4, 1, 12)
const arn = 'arn:aws:lambda:us-east-1:000000000000:function:work'

async function run(states: States, input: unknown = {}, options: Partial<EngineOptions> = {}) {
  const definition: StateMachine = {
    QueryLanguage: 'JSONata',
    StartAt: Object.keys(states)[0] ?? '',
    States: states,
  }
  const engine = createEngine({
    definition,
    clock: createVirtualClock(start),
    random: () => 0.25,
    uuid: () => 'a-uuid',
    ...options,
  })
  const execution = engine.run(input, { name: 'run' })
  return { result: await execution.result, events: execution.history() }
}

async function outputOf(expression: unknown, input: unknown = {}) {
  const { result } = await run({ P: { Type: 'Pass', Output: expression as never, End: true } }, input)
  return result.status === 'SUCCEEDED' ? result.output : result
}

describe('JSONata states', () => {
  it.each([
    ['{% $states.input.a + 1 %}', 3],
    [
      { sum: '{% $sum($states.input.list) %}', kept: 'as it is' },
      { sum: 6, kept: 'as it is' },
    ],
    [
      ['{% $states.input.a %}', { deep: ['{% "x" & "y" %}'] }],
      [2, { deep: ['xy'] }],
    ],
    ['{% $states.input.list[$ > 1] %}', [2, 3]],
    ['{% $partition($states.input.list, 2) %}', [[1, 2], [3]]],
    ['{% $range(1, 7, 3) %}', [1, 4, 7]],
    ['{% $hash("input data", "SHA-1") %}', 'aaff4a450a104cd177d28d18d74485e8cae074b7'],
    ['{% $random() %}', 0.25],
    ['{% $random(7) = $random(7) %}', true],
    ['{% $uuid() %}', 'a-uuid'],
    ['{% $parse("[1]") %}', [1]],
    ['{% $now() %}', '2024-05-01T12:00:00.000Z'],
    ['{% $now("[Y]-[M]", "+0000") %}', '2024-5'],
    ['{% $millis() %}', start],
    ['{% $states.context.Execution.Name %}', 'run'],
    ['no expression', 'no expression'],
  ])('evaluate %j', async (expression, expected) => {
    expect(await outputOf(expression, { a: 2, list: [1, 2, 3] })).toEqual(expected)
  })

  it('fail where an expression finds nothing, and say which', async () => {
    const { result, events } = await run({ P: { Type: 'Pass', Output: { x: '{% $nothing %}' }, End: true } })
    expect(result).toEqual({
      status: 'FAILED',
      error: 'States.QueryEvaluationError',
      cause:
        "An error occurred while executing the state 'P' (entered at the event id #2). The JSONata expression '$nothing' specified for the field 'Output/x' returned nothing (undefined).",
    })
    expect(events.at(-2)).toMatchObject({
      type: 'EvaluationFailed',
      evaluationFailedEventDetails: { location: 'Output/x', state: 'P' },
    })
  })

  it('fail where an expression throws, or makes something that is no JSON', async () => {
    expect(await outputOf('{% 1 + "a" %}')).toMatchObject({ error: 'States.QueryEvaluationError' })
    expect(await outputOf('{% function($x) { $x } %}')).toMatchObject({
      error: 'States.QueryEvaluationError',
    })
  })

  it('assign variables that show from the next state on', async () => {
    const { result, events } = await run(
      {
        A: { Type: 'Pass', Assign: { n: 1, m: '{% $states.input.m %}' }, Next: 'B' },
        B: { Type: 'Pass', Assign: { n: '{% $n + 1 %}' }, Output: '{% $n %}', Next: 'C' },
        C: { Type: 'Pass', Output: ['{% $states.input %}', '{% $n %}', '{% $m %}'], End: true },
      },
      { m: 'm' },
    )
    expect(result).toEqual({ status: 'SUCCEEDED', output: [1, 2, 'm'] })
    expect(events[2]?.stateExitedEventDetails?.['assignedVariables']).toEqual({ n: '1', m: '"m"' })
  })

  it('keep the variables of a branch or an iteration to themselves', async () => {
    const { result } = await run({
      A: { Type: 'Pass', Assign: { n: 1 }, Next: 'M' },
      M: {
        Type: 'Map',
        Items: '{% [10, 20] %}',
        ItemSelector: { item: '{% $states.context.Map.Item.Value %}', outer: '{% $n %}' },
        ItemProcessor: {
          StartAt: 'I',
          States: {
            I: { Type: 'Pass', Assign: { n: '{% $states.input.item %}' }, Next: 'J' },
            J: { Type: 'Pass', Output: '{% $n + $states.input.outer %}', End: true },
          },
        },
        Next: 'Z',
      },
      Z: { Type: 'Pass', Output: { results: '{% $states.input %}', n: '{% $n %}' }, End: true },
    })
    expect(result).toEqual({ status: 'SUCCEEDED', output: { results: [11, 21], n: 1 } })
  })

  it('give a task its arguments and take its result', async () => {
    const { result } = await run(
      {
        T: {
          Type: 'Task',
          Resource: arn,
          Arguments: { n: '{% $states.input.n %}' },
          TimeoutSeconds: '{% $states.input.n * 10 %}',
          Assign: { kept: '{% $states.result.n %}' },
          Output: { doubled: '{% $states.result.n %}', from: '{% $states.input.n %}' },
          Next: 'E',
        },
        E: { Type: 'Succeed', Output: { all: '{% $states.input %}', kept: '{% $kept %}' } },
      },
      { n: 2 },
      { invoke: (_arn, payload) => ({ n: (payload as { n: number }).n * 2 }) },
    )
    expect(result).toEqual({ status: 'SUCCEEDED', output: { all: { doubled: 4, from: 2 }, kept: 4 } })
  })

  it('catch with the error output in reach', async () => {
    const { result } = await run(
      {
        T: {
          Type: 'Task',
          Resource: arn,
          Catch: [
            {
              ErrorEquals: ['Boom'],
              Output: { name: '{% $states.errorOutput.Error %}', input: '{% $states.input %}' },
              Assign: { cause: '{% $states.errorOutput.Cause %}' },
              Next: 'C',
            },
          ],
          End: true,
        },
        C: { Type: 'Pass', Output: ['{% $states.input %}', '{% $cause %}'], End: true },
      },
      { a: 1 },
      {
        invoke: () => {
          throw new TaskFailure('Boom', 'why')
        },
      },
    )
    expect(result).toEqual({ status: 'SUCCEEDED', output: [{ name: 'Boom', input: { a: 1 } }, 'why'] })
  })

  it('choose by conditions, with output and assignments of the rule that holds', async () => {
    const states: States = {
      C: {
        Type: 'Choice',
        Choices: [
          { Condition: '{% $states.input.n > 5 %}', Assign: { size: 'big' }, Output: 'chosen', Next: 'E' },
        ],
        Default: 'E',
        Assign: { size: 'small' },
      },
      E: { Type: 'Pass', Output: ['{% $size %}', '{% $states.input %}'], End: true },
    }
    expect((await run(states, { n: 6 })).result).toMatchObject({ output: ['big', 'chosen'] })
    expect((await run(states, { n: 5 })).result).toMatchObject({ output: ['small', { n: 5 }] })
    const odd = await run({ C: { Type: 'Choice', Choices: [{ Condition: '{% 1 %}', Next: 'C' }] } })
    expect(odd.result).toMatchObject({ error: 'States.QueryEvaluationError' })
  })

  it('wait and fail by expressions', async () => {
    const { result, events } = await run(
      {
        W: { Type: 'Wait', Seconds: '{% $states.input.s %}', Next: 'T' },
        T: { Type: 'Wait', Timestamp: '{% $states.input.t %}', Next: 'F' },
        F: { Type: 'Fail', Error: '{% "E" & "1" %}', Cause: '{% $states.input.why %}' },
      },
      { s: 60, t: '2024-05-02T00:00:00Z', why: 'because' },
    )
    expect(result).toEqual({ status: 'FAILED', error: 'E1', cause: 'because' })
    expect(events.at(-1)?.timestamp).toEqual(new Date('2024-05-02T00:00:00Z'))
  })
})

describe('an expression', () => {
  it.each([
    ['{% $range(1.9, 3.9, 1.5) %}', [1, 2, 3]],
    ['{% $range(4, 4, 1) %}', 4],
    ['{% $random(42) %}', 0.7275636800328681],
    ['{% 1/0 %}', 'Infinity'],
    ['{% [-1/0] %}', ['-Infinity']],
    ['{% $toMillis("10:30", "[H01]:[m01]") %}', Date.UTC(2024, 4, 1, 10, 30)],
    ['{% "a ?? b" & `?:` %}', 'a ?? b'],
    ['{% $match("ab", /a??b/).match %}', 'ab'],
  ])('evaluates %j as Step Functions does', async (expression, expected) => {
    expect(await outputOf(expression, {})).toEqual(expected)
  })

  it.each([
    ['{% $eval("1+1") %}', /T1006/],
    ['{% ($f := function($n){ $n + $f($n - 1) }; $f(1)) %}', /D1011/],
    ['{% ($f := function($a){ $f($append($a, $a)) }; $f([1, 2])) %}', /D2015/],
  ])('fails its state: %s', async (expression, cause) => {
    expect(await outputOf(expression)).toMatchObject({
      error: 'States.QueryEvaluationError',
      cause: expect.stringMatching(cause),
    })
  })

  it.each(['{% $states.input.a ?? 1 %}', '{% $states.input.a ?: 1 %}'])('%s cannot be read', async text => {
    await expect(outputOf(text)).rejects.toThrow(/cannot be used as a unary operator/)
  })

  it('cannot change its input, whatever it makes of $clone', async () => {
    const input = { a: { n: 1 } }
    const { result } = await run(
      {
        P: {
          Type: 'Pass',
          Assign: { x: '{% ($clone := function($v){ $v }; $states.input ~> |a|{"n": 2}|) %}' },
          Output: '{% $states.input %}',
          End: true,
        },
      },
      input,
    )
    expect(result).toMatchObject({ output: { a: { n: 1 } } })
  })

  it('lets others run while it takes its time, and ends', async () => {
    let turns = 0
    const evaluate = compileExpression('($f := function(){ $f() }; $f())', {
      timeout: 300,
      stack: 100,
      sequence: 100,
    })
    const evaluating = evaluate(
      { functions: {}, variables: {}, states: {} },
      {
        nowMs: 0,
        yieldTurn: async () => {
          turns += 1
        },
      },
    )
    await expect(evaluating).rejects.toMatchObject({ code: 'D1012' })
    expect(turns).toBeGreaterThan(0)
  })

  it('in an endless loop of states does not keep the execution from its timeout', async () => {
    const engine = createEngine({
      type: 'EXPRESS',
      definition: {
        QueryLanguage: 'JSONata',
        TimeoutSeconds: 1,
        StartAt: 'A',
        States: { A: { Type: 'Pass', Output: '{% $states.input %}', Next: 'A' } },
      },
    })
    expect(await engine.run({}).result).toMatchObject({ status: 'TIMED_OUT' })
  })
})
