import { beforeAll, describe, expect, it } from 'vitest'
import { acceptDefinition, diagnose, loadChecker } from './definition.ts'

beforeAll(loadChecker)

const end = { Type: 'Pass', End: true }
const loop = { A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', Next: 'A' } }
const choices = [{ Variable: '$.x', IsPresent: true, Next: 'Gone' }]
const lambda = 'arn:aws:lambda:us-east-1:000000000000:function:f'

function machine(states: object, startAt = Object.keys(states)[0]): string {
  return JSON.stringify({ StartAt: startAt, States: states })
}
function map(Label: string, more: object): object {
  const ProcessorConfig = { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' }
  const inner = `${Label}-inner-${JSON.stringify(more)}`
  return {
    Type: 'Map',
    Label,
    ItemProcessor: { ProcessorConfig, StartAt: inner, States: { [inner]: end } },
    ...more,
  }
}
function said(definition: string): string[] {
  return diagnose(definition, 'STANDARD').map(
    ({ code, message, location }) => `${code}: ${message} at ${location}`,
  )
}

const noEnd = 'MISSING_END_STATE: Workflow has no terminal state at undefined'

describe('diagnose', () => {
  it.each([
    ['nothing of a machine that is right', machine({ A: end }), []],
    ['that nothing ends, and not what is unreachable then', machine({ ...loop, C: loop.A }), [noEnd]],
    [
      'what nothing leads to',
      machine({ ...loop, C: end }),
      ['MISSING_TRANSITION_TARGET: State "C" is not reachable. at /States/C'],
    ],
    [
      'a target that is not there, and that nothing ends',
      machine({ A: { Type: 'Pass', Next: 'Gone' } }),
      ["MISSING_TRANSITION_TARGET: Missing 'Next' target: Gone at /States/A/Next", noEnd],
    ],
    [
      'targets that are not there, wherever they are named',
      machine({
        C: { Type: 'Choice', Choices: [{ ...choices[0], Next: 'T' }, ...choices], Default: 'Lost' },
        T: { Type: 'Task', Resource: lambda, Catch: [{ ErrorEquals: ['E'], Next: 'Away' }], End: true },
      }),
      [
        "MISSING_TRANSITION_TARGET: Missing 'Next' target: Lost at /States/C/Default",
        "MISSING_TRANSITION_TARGET: Missing 'Next' target: Gone at /States/C/Choices[1]/Next",
        "MISSING_TRANSITION_TARGET: Missing 'Next' target: Away at /States/T/Catch[0]/Next",
      ],
    ],
    [
      'a start that is not there',
      machine({ 'Pass One': { Type: 'Pass', Next: 'S' }, S: { Type: 'Succeed' } }, 'Not sure'),
      [
        "MISSING_TRANSITION_TARGET: Missing 'Next' target: Not sure at /StartAt",
        'MISSING_TRANSITION_TARGET: State "Pass One" is not reachable. at /States/Pass One',
      ],
    ],
    [
      'a name that is given twice',
      machine({
        P: { Type: 'Parallel', Branches: [{ StartAt: 'X', States: { X: end } }], Next: 'X' },
        X: end,
      }),
      ['DUPLICATE_STATE_NAME: Duplicate State name: X at /States/X'],
    ],
    [
      'what is wrong inside branches, and all else',
      machine({
        P: { Type: 'Parallel', Branches: [{ StartAt: 'X', States: {} }], End: true },
        W: { Type: 'Wait', Seconds: -1, End: true },
      }),
      [
        'SCHEMA_VALIDATION_FAILED: Value cannot be empty at /States/P/Branches[0]/States',
        expect.stringMatching(/^SCHEMA_VALIDATION_FAILED: .* at \/States\/W\/Seconds$/),
        'MISSING_TRANSITION_TARGET: State "W" is not reachable. at /States/W',
      ],
    ],
    [
      'labels that are too long, or given twice',
      machine({
        A: map('x', { Next: 'B' }),
        B: map('x', { Next: 'C' }),
        C: map('y'.repeat(41), { End: true }),
      }),
      [
        'INVALID_LABEL_NAME: A label has at most 40 characters. at /States/C/Label',
        'DUPLICATE_LABEL_NAME: Duplicate Label name: x at /States/B/Label',
      ],
    ],
    ['that there is nothing', 'null', ['MISSING_DESCRIPTION: Received a null or empty workflow input at /']],
    ['that it is not JSON', '{', [expect.stringMatching(/^INVALID_JSON_DESCRIPTION: /)]],
  ])('says %s', (_, definition, expected) => {
    expect(said(definition)).toEqual(expected)
  })

  it('warns of paths that are taken for text', () => {
    const definition = machine({
      A: { Type: 'Pass', Parameters: { a: '$.b' }, Next: 'B' },
      B: { Type: 'Pass', Result: { now: '$.c' }, Next: 'F' },
      F: { Type: 'Fail', Cause: '$.d' },
    })
    const warnings = diagnose(definition, 'STANDARD')
    expect(warnings.map(({ severity, code, location }) => [severity, code, location])).toEqual([
      ['WARNING', 'NO_DOLLAR', '/States/A/Parameters/a'],
      ['WARNING', 'PASS_RESULT_IS_STATIC', '/States/B/Result/now'],
      ['WARNING', 'NO_PATH', '/States/F/Cause'],
    ])
    expect(acceptDefinition(definition, 'STANDARD')).toMatchObject({ StartAt: 'A' })
  })
})

describe('acceptDefinition', () => {
  it('names every problem in its refusal', () => {
    expect(() => acceptDefinition(machine({ a: { Type: 'Pass', Next: 'c' }, b: end }), 'STANDARD')).toThrow(
      `Invalid State Machine Definition: 'MISSING_TRANSITION_TARGET: Missing 'Next' target: c at /States/a/Next, MISSING_TRANSITION_TARGET: State "b" is not reachable. at /States/b'`,
    )
    expect(() => acceptDefinition(machine(loop), 'STANDARD')).toThrow(
      "Invalid State Machine Definition: 'MISSING_END_STATE: Workflow has no terminal state at null'",
    )
  })
})
