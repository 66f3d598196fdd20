import { describe, expect, it } from 'vitest'
import { checkWorkflow } from '../index.ts'

function refusals(definition: unknown, type: 'STANDARD' | 'EXPRESS' = 'STANDARD') {
  return checkWorkflow(definition, { type })
    .filter(({ rule }) => rule.startsWith('valid/'))
    .map(({ rule, pointer }) => `${rule.slice(6)} ${pointer.replace('/States/', '')}`)
}

function inMachine(state: object) {
  return { StartAt: 'A', States: { A: state, B: { Type: 'Succeed' } } }
}
function task(fields: object) {
  return {
    Type: 'Task',
    Resource: 'arn:aws:lambda:eu-west-1:123456789012:function:f',
    Next: 'B',
    ...fields,
  }
}
function pass(fields: object) {
  return { Type: 'Pass', Next: 'B', ...fields }
}
function wait(fields: object) {
  return { Type: 'Wait', Next: 'B', ...fields }
}
function map(fields: object) {
  return {
    Type: 'Map',
    Next: 'B',
    ItemProcessor: { StartAt: 'C', States: { C: { Type: 'Succeed' } } },
    ...fields,
  }
}
function choice(...rules: object[]) {
  return { Type: 'Choice', Choices: rules, Default: 'B' }
}
const jsonata = { QueryLanguage: 'JSONata' }

describe('what Step Functions accepts', () => {
  it.each<[string, object]>([
    [
      'a Task with everything',
      task({
        Comment: '',
        InputPath: null,
        Parameters: { 'a.$': '$' },
        ResultSelector: { 'b.$': '$.x[0]' },
        ResultPath: '$.r',
        OutputPath: '$.r',
        TimeoutSeconds: 60,
        HeartbeatSecondsPath: '$.h',
        Assign: { 'v.$': '$.x', w_1: 2 },
        Credentials: { RoleArn: 'r' },
      }),
    ],
    [
      'every field of a retrier',
      task({
        Retry: [
          {
            ErrorEquals: ['E'],
            IntervalSeconds: 1,
            MaxAttempts: 0,
            BackoffRate: 1,
            MaxDelaySeconds: 9,
            JitterStrategy: 'FULL',
            Comment: '',
          },
        ],
      }),
    ],
    [
      'placeholders',
      task({
        Resource: '$' + '{Function}',
        TimeoutSeconds: '$' + '{Timeout}',
        Parameters: { 'a.$': '$' + '{Path}' },
      }),
    ],
    [
      'a function’s alias and version',
      task({ Resource: 'arn:aws-cn:lambda:cn-north-1:123456789012:function:f:$LATEST' }),
    ],
    [
      'intrinsic functions',
      pass({
        Parameters: {
          'a.$': "States.Format('it\\'s {}', States.UUID())",
          list: [{ 'b.$': '$$.Execution.Name' }],
        },
      }),
    ],
    ['a literal Result', pass({ Result: { 'not.$': 'a path' } })],
    ['offsets and fractions in a timestamp', wait({ Timestamp: '2024-02-29T12:00:00.5+09:00' })],
    ['waiting no time', wait({ Seconds: 0 })],
    [
      'nested tests',
      choice({
        And: [
          { Variable: '$.a', IsPresent: true },
          {
            Not: {
              Or: [
                { Variable: '$.a', NumericLessThanPath: '$.b' },
                { Variable: '$$.Execution.Name', StringMatches: 'a*' },
              ],
            },
          },
        ],
        Next: 'B',
        Comment: '',
      }),
    ],
    [
      'a Distributed Map',
      map({
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'EXPRESS' },
          StartAt: 'C',
          States: { C: { Type: 'Succeed' } },
        },
        ItemReader: { Resource: 'arn:aws:states:::s3:listObjectsV2', Parameters: { 'Bucket.$': '$.b' } },
        ItemBatcher: { MaxItemsPerBatch: 5, BatchInput: { 'a.$': '$.a' } },
        ResultWriter: { Resource: 'r', WriterConfig: { Transformation: 'FLATTEN', OutputType: 'JSONL' } },
        ToleratedFailurePercentage: 2.5,
        MaxConcurrency: 0,
        Label: 'items',
      }),
    ],
    [
      'the older Iterator',
      {
        Type: 'Map',
        Iterator: { StartAt: 'C', States: { C: { Type: 'Succeed' } } },
        Parameters: { 'a.$': '$$.Map.Item.Value' },
        Next: 'B',
      },
    ],
    ['JSONata over several lines', pass({ ...jsonata, Output: '{%\n  $states.input.a +\n  1\n%}' })],
    ['JSONata for numbers', { ...wait({ Seconds: '{% $states.input.s %}' }), ...jsonata }],
    [
      'a JSONata Choice',
      {
        ...choice({ Condition: '{% $states.input.a = 1 %}', Next: 'B', Output: {}, Assign: { v: 1 } }),
        ...jsonata,
        Output: '{% 1 %}',
      },
    ],
    [
      'a Fail with an intrinsic function',
      { Type: 'Choice', Choices: [{ Variable: '$.a', IsNull: true, Next: 'F' }], Default: 'B' },
    ],
  ])('%s', (_name, state) => {
    const machine = inMachine(state)
    const fails = { F: { Type: 'Fail', ErrorPath: "States.Format('{}', $.e)", CausePath: '$.c' } }
    const needed = JSON.stringify(state).includes('"Next":"F"') ? fails : {}
    expect(refusals({ ...machine, States: { ...machine.States, ...needed } })).toEqual([])
  })
})

describe('what Step Functions refuses', () => {
  it.each<[string, object, string[]]>([
    ['a Task without Resource', { Type: 'Task', Next: 'B' }, ['required-field A']],
    [
      'a function name with other characters',
      task({ Resource: 'arn:aws:lambda:x:1:function:f:*' }),
      ['field-value A/Resource'],
    ],
    ['a timeout of no time', task({ TimeoutSeconds: 0 }), ['field-value A/TimeoutSeconds']],
    [
      'a heartbeat as long as the timeout',
      task({ TimeoutSeconds: 9, HeartbeatSeconds: 9 }),
      ['field-value A/HeartbeatSeconds'],
    ],
    [
      'two timeouts',
      task({ TimeoutSeconds: 9, TimeoutSecondsPath: '$.t' }),
      ['exclusive-fields A/TimeoutSecondsPath'],
    ],
    ['empty credentials', task({ Credentials: {} }), ['required-field A/Credentials']],
    ['no error names', task({ Retry: [{ ErrorEquals: [] }] }), ['field-value A/Retry/0/ErrorEquals']],
    [
      'an error name that is none',
      task({ Catch: [{ ErrorEquals: [1], Next: 'B' }] }),
      ['field-value A/Catch/0/ErrorEquals/0'],
    ],
    [
      'a backoff below 1',
      task({ Retry: [{ ErrorEquals: ['E'], BackoffRate: 0.5 }] }),
      ['field-value A/Retry/0/BackoffRate'],
    ],
    [
      'half an attempt',
      task({ Retry: [{ ErrorEquals: ['E'], MaxAttempts: 0.5 }] }),
      ['field-value A/Retry/0/MaxAttempts'],
    ],
    [
      'another jitter',
      task({ Retry: [{ ErrorEquals: ['E'], JitterStrategy: 'SOME' }] }),
      ['field-value A/Retry/0/JitterStrategy'],
    ],
    ['a catcher without Next', task({ Catch: [{ ErrorEquals: ['E'] }] }), ['required-field A/Catch/0']],
    ['a ResultPath into a variable', task({ ResultPath: '$v' }), ['path A/ResultPath']],
    ['a ResultPath with a wildcard', task({ ResultPath: '$.a[*]' }), ['path A/ResultPath']],
    ['a path without $', pass({ InputPath: 'a.b' }), ['path A/InputPath']],
    [
      'a template path that is none',
      pass({ Parameters: { a: [{ 'b.$': 'c' }] } }),
      ['path A/Parameters/a/0/b.$'],
    ],
    [
      'a field set twice',
      pass({ Parameters: { a: 1, 'a.$': '$.a' } }),
      ['exclusive-fields A/Parameters/a.$'],
    ],
    ['a variable called states', pass({ Assign: { states: 1 } }), ['field-value A/Assign/states']],
    ['two waits', wait({ Seconds: 1, SecondsPath: '$.s' }), ['exclusive-fields A/SecondsPath']],
    ['no wait', wait({}), ['required-field A']],
    ['a day that does not exist', wait({ Timestamp: '2024-13-01T00:00:00Z' }), ['field-value A/Timestamp']],
    ['a timestamp without zone', wait({ Timestamp: '2024-12-01T00:00:00' }), ['field-value A/Timestamp']],
    ['a Map without processor', { Type: 'Map', Next: 'B' }, ['required-field A']],
    [
      'both names of the item selector',
      map({ ItemSelector: {}, Parameters: {} }),
      ['exclusive-fields A/ItemSelector'],
    ],
    [
      'a percentage over 100',
      map({ ToleratedFailurePercentage: 101 }),
      ['field-value A/ToleratedFailurePercentage'],
    ],
    ['ItemsPath null', map({ ItemsPath: null }), ['path A/ItemsPath']],
    ['a label of 41 characters', map({ Label: 'x'.repeat(41) }), ['field-value A/Label']],
    [
      'an unknown mode',
      map({
        ItemProcessor: {
          ProcessorConfig: { Mode: 'BOTH' },
          StartAt: 'C',
          States: { C: { Type: 'Succeed' } },
        },
      }),
      ['field-value A/ItemProcessor/ProcessorConfig/Mode'],
    ],
    [
      'a Distributed Map of no type',
      map({
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED' },
          StartAt: 'C',
          States: { C: { Type: 'Succeed' } },
        },
      }),
      ['required-field A/ItemProcessor/ProcessorConfig'],
    ],
    [
      'a Parallel without branches',
      { Type: 'Parallel', Branches: [], Next: 'B' },
      ['field-value A/Branches'],
    ],
    ['a Choice without rules', { Type: 'Choice', Choices: [], Default: 'B' }, ['field-value A/Choices']],
    ['a rule without comparison', choice({ Variable: '$.a', Next: 'B' }), ['choice-rule A/Choices/0']],
    ['a rule without Variable', choice({ IsNull: true, Next: 'B' }), ['required-field A/Choices/0']],
    [
      'Next inside a rule',
      choice({ Not: { Variable: '$.a', IsNull: true, Next: 'B' }, Next: 'B' }),
      ['choice-rule A/Choices/0/Not/Next'],
    ],
    [
      'a text compared as a number',
      choice({ Variable: '$.a', NumericEquals: '1', Next: 'B' }),
      ['field-value A/Choices/0/NumericEquals'],
    ],
    ['an empty And', choice({ And: [], Next: 'B' }), ['choice-rule A/Choices/0/And']],
    ['JSONata in a JSONPath state', pass({ Output: '{% 1 %}' }), ['query-language A/Output']],
    ['JSONPath in a JSONata state', pass({ ...jsonata, Parameters: {} }), ['query-language A/Parameters']],
    ['an expression that is not closed', pass({ ...jsonata, Output: '{% 1' }), ['jsonata A/Output']],
    ['an empty expression', pass({ ...jsonata, Output: { a: '{% %}' } }), ['jsonata A/Output/a']],
    ['Next and End', pass({ End: true }), ['exclusive-fields A/End']],
    ['another field', pass({ Paramters: {} }), ['unknown-field A/Paramters']],
    ['another type', { Type: 'Sleep', Next: 'B' }, ['field-value A/Type']],
    ['no type', { Next: 'B' }, ['required-field A']],
  ])('%s', (_name, state, expected) => {
    expect(refusals(inMachine(state)).filter(each => each !== 'unreachable B')).toEqual(expected)
  })

  it.each<[string, unknown, string[]]>([
    ['nothing', {}, ['required-field /']],
    ['a list', [], ['field-value /']],
    ['no state', { StartAt: 'A', States: {} }, ['field-value /States']],
    [
      'a start that is not there',
      { StartAt: 'X', States: { A: { Type: 'Succeed' } } },
      ['transition /StartAt'],
    ],
    [
      'a machine without an end',
      { StartAt: 'A', States: { A: { Type: 'Pass', Next: 'A' } } },
      ['transition /States'],
    ],
    [
      'a field beside States',
      { StartAt: 'A', Timeout: 1, States: { A: { Type: 'Succeed' } } },
      ['unknown-field /Timeout'],
    ],
    [
      'a way out of a branch',
      {
        StartAt: 'A',
        States: {
          A: {
            Type: 'Parallel',
            Branches: [{ StartAt: 'C', States: { C: { Type: 'Pass', Next: 'B' }, D: { Type: 'Succeed' } } }],
            Next: 'B',
          },
          B: { Type: 'Succeed' },
        },
      },
      ['transition A/Branches/0/States/C/Next', 'unreachable A/Branches/0/States/D'],
    ],
  ])('%s', (_name, definition, expected) => {
    expect(refusals(definition).sort()).toEqual([...expected].sort())
  })

  it('waiting in an Express workflow, or in a Map’s Express children', () => {
    const job = { Type: 'Task', Resource: 'arn:aws:states:::states:startExecution.sync:2', Next: 'B' }
    expect(refusals(inMachine(job))).toEqual([])
    expect(refusals(inMachine(job), 'EXPRESS')).toEqual(['express A/Resource'])
    const children = (ExecutionType: string) =>
      map({
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType },
          StartAt: 'C',
          States: { C: { ...job, Next: undefined, End: true } },
        },
      })
    expect(refusals(inMachine(children('STANDARD')))).toEqual([])
    expect(refusals(inMachine(children('EXPRESS')))).toEqual(['express A/ItemProcessor/States/C/Resource'])
    expect(refusals(inMachine(children('STANDARD')), 'EXPRESS')).toEqual(['express A/ItemProcessor'])
  })
})

describe('the names of variables', () => {
  it.each(['x', 'größe', '名前', 'w_1'])('may be %s', name =>
    expect(refusals(inMachine(pass({ Assign: { [name]: 1 } })))).toEqual([]),
  )

  it.each(['w-1', '_x', '1x', 'a b', '', 'states', 'x'.repeat(81)])('are not %j', name =>
    expect(refusals(inMachine(pass({ Assign: { [name]: 1 } })))).toEqual([`field-value A/Assign/${name}`]),
  )

  const assigning = (name: string) => ({ Type: 'Pass', Assign: { [name]: 1 }, End: true })
  const around = (inner: object) => ({
    StartAt: 'First',
    States: {
      First: { Type: 'Pass', Assign: { 'outer.$': '$.x' }, Next: 'Inner' },
      Inner: { ...inner, Assign: { own: 1 }, Next: 'Last' },
      Last: assigning('later'),
    },
  })
  const branch = (state: string, name: string) => ({ StartAt: state, States: { [state]: assigning(name) } })
  const parallel = (...names: string[]) => ({
    Type: 'Parallel',
    Branches: names.map((name, index) => branch(`P${index}`, name)),
  })
  const map = (processor: object) => ({ Type: 'Map', ItemProcessor: processor })

  it('are not assigned again inside branches and item processors', () => {
    expect(refusals(around(parallel('outer', 'x')))).toEqual([
      'field-value Inner/Branches/0/States/P0/Assign/outer',
    ])
    expect(refusals(around(map(branch('P', 'outer'))))).toEqual([
      'field-value Inner/ItemProcessor/States/P/Assign/outer',
    ])
    const nested = { StartAt: 'In', States: { In: { ...parallel('x', 'outer'), End: true } } }
    expect(refusals(around(map(nested)))).toEqual([
      'field-value Inner/ItemProcessor/States/In/Branches/1/States/P1/Assign/outer',
    ])
  })

  it('may be the same in siblings, in later states, and in the executions of a Distributed Map', () => {
    expect(refusals(around(parallel('same', 'same')))).toEqual([])
    expect(refusals(around(parallel('later', 'own')))).toEqual([])
    const ProcessorConfig = { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' }
    expect(refusals(around(map({ ...branch('P', 'outer'), ProcessorConfig })))).toEqual([])
  })
})
