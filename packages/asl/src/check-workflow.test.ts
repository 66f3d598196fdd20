import { defineTask } from '@stepwright/task'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CheckOptions, checkWorkflow, parseDefinition, rules } from './index.ts'

const keys = [
  ...[
    'StartAt',
    'States',
    'Type',
    'Next',
    'End',
    'Resource',
    'Retry',
    'Catch',
    'ErrorEquals',
    'Choices',
    'Default',
    'Variable',
  ],
  ...[
    'Parameters',
    'ResultPath',
    'ResultSelector',
    'InputPath',
    'OutputPath',
    'ItemProcessor',
    'Branches',
    'ItemsPath',
    'Assign',
  ],
  ...[
    'QueryLanguage',
    'Output',
    'Arguments',
    'And',
    'Not',
    'IsPresent',
    'ProcessorConfig',
    'Mode',
    'a.$',
    'A',
    'B',
    'ItemSelector',
  ],
]
const words = [
  'A',
  'B',
  'Task',
  'Map',
  'Parallel',
  'Choice',
  'Pass',
  'Fail',
  'Wait',
  'Succeed',
  '$',
  '$.a.b[0]',
  '$.a[*]',
  '$$.x',
  '$v',
  'States.ALL',
  'States.Format($.a)',
  'JSONata',
  '{% $states.input.a %}',
  '{% ( %}',
  'DISTRIBUTED',
  'arn:aws:lambda:x:1:function:f',
]

const wild = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 7, withCrossShrink: true },
    fc.constantFrom<unknown>(...words, null, true, false, 0, 1.5),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  object: fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 8 }),
})).value

const state = fc.record(
  {
    Type: fc.constantFrom('Task', 'Map', 'Parallel', 'Choice', 'Pass', 'Fail', 'Wait', 'Succeed'),
    Next: fc.constantFrom('A', 'B'),
    End: fc.boolean(),
    Resource: fc.constantFrom('arn:aws:lambda:x:1:function:f', 'arn:aws:states:::lambda:invoke'),
    QueryLanguage: fc.constantFrom('JSONPath', 'JSONata'),
    Catch: wild,
    Retry: wild,
    Choices: wild,
    Parameters: wild,
    ResultPath: fc.constantFrom<unknown>('$.a', '$', null, '$.a.b'),
    ItemProcessor: wild,
    Branches: wild,
    Output: wild,
    Assign: wild,
  },
  { requiredKeys: ['Type'] },
)

describe('checkWorkflow', () => {
  it('never throws, whatever it is given', () => {
    const machine = fc.record(
      { StartAt: fc.constantFrom('A', 'B'), States: fc.record({ A: state, B: state }), QueryLanguage: wild },
      { requiredKeys: ['StartAt', 'States'] },
    )
    fc.assert(
      fc.property(
        fc.oneof(machine, wild, fc.anything({ withBigInt: true, withDate: true, withMap: true })),
        definition => {
          for (const finding of checkWorkflow(definition, {
            tasks: { f: { name: 'f', errors: [{ name: 'E', kind: 'business' }] } },
          })) {
            expect(rules[finding.rule]).toBeDefined()
            expect(finding.line).toBeGreaterThan(0)
          }
        },
      ),
      { numRuns: 500 },
    )
  }, 60_000)

  it('reports a definition that contains itself', () => {
    const machine: Record<string, unknown> = { StartAt: 'A', States: {} }
    machine['States'] = { A: machine }
    expect(checkWorkflow(machine).map(({ rule }) => rule)).toContain('valid/syntax')
  })

  it('names file, line, column and pointer', () => {
    const text = 'StartAt: A\nStates:\n  A:\n    Type: Pass\n    Nxt: B\n'
    expect(checkWorkflow(parseDefinition(text, { file: 'x.asl.yaml' }))).toContainEqual(
      expect.objectContaining({
        rule: 'valid/unknown-field',
        file: 'x.asl.yaml',
        line: 5,
        column: 5,
        pointer: '/States/A/Nxt',
        suggestion: "Did you mean 'Next'?",
      }),
    )
  })

  it('knows all errors of a project, for states whose task it does not know', () => {
    const definition = {
      StartAt: 'A',
      TimeoutSeconds: 9,
      States: {
        A: {
          Type: 'Task',
          Resource: 'arn:aws:states:::ecs:runTask.sync',
          Catch: [{ ErrorEquals: ['ValidationErorr'], ResultPath: '$.error', Next: 'B' }],
          End: true,
        },
        B: { Type: 'Fail' },
      },
    }
    const errors = [{ name: 'ValidationError', kind: 'business' }] as const
    expect(checkWorkflow(definition)).toEqual([])
    expect(checkWorkflow(definition, { errors })).toMatchObject([
      { rule: 'names/unknown-error', suggestion: 'Did you mean "ValidationError"?' },
    ])
  })
})

describe('catchExhausted', () => {
  const save = {
    name: 'save',
    errors: [
      { name: 'OutOfStock', kind: 'business' as const },
      {
        name: 'TemporaryError',
        kind: 'retryable' as const,
        retry: { intervalSeconds: 2, maxAttempts: 3, backoffRate: 2 },
      },
    ],
  }
  const definition = {
    StartAt: 'Save',
    TimeoutSeconds: 900,
    States: {
      Save: { Type: 'Task', Resource: 'arn:aws:lambda:eu-west-1:123456789012:function:save', End: true },
    },
  }
  const uncaught = (catchExhausted?: boolean) =>
    checkWorkflow(definition, {
      tasks: { Save: save },
      ...(catchExhausted !== undefined && { catchExhausted }),
    })
      .filter(({ rule }) => rule === 'routes/uncaught')
      .map(({ message }) => message)

  it('asks for a catcher of what outlasts its retries only where it is told to: there a redrive goes on', () => {
    expect(uncaught(true)).toEqual([expect.stringContaining('OutOfStock and TemporaryError')])
    expect(uncaught(false)).toEqual([expect.stringMatching(/takes OutOfStock:/)])
    expect(uncaught()).toEqual(uncaught(false))
  })
})

describe('a schema that tells nothing of itself', () => {
  const silent = {
    '~standard': { version: 1, vendor: 'other', validate: (value: unknown) => ({ value }) },
  } as const
  const task = defineTask({ name: 'save', input: silent, output: silent, errors: [], run: input => input })
  const definition = {
    StartAt: 'Save',
    TimeoutSeconds: 900,
    States: {
      Save: { Type: 'Task', Resource: 'arn:aws:lambda:eu-west-1:123456789012:function:save', Next: 'Again' },
      Again: { Type: 'Task', Resource: 'arn:aws:lambda:eu-west-1:123456789012:function:save', End: true },
    },
  }
  const notes = (options: CheckOptions) =>
    checkWorkflow(definition, options).filter(({ rule }) => rule === 'flow/unreadable-schema')

  it('gives a note, once for each task', () => {
    expect(notes({ tasks: [task] })).toMatchObject([
      {
        severity: 'info',
        pointer: '/States/Save',
        message: expect.stringContaining('input and output schema'),
      },
    ])
    expect(notes({ input: silent })).toMatchObject([{ pointer: '/' }])
  })

  it('gives none where toJsonSchema speaks for it, or a plain contract has no schema', () => {
    expect(notes({ tasks: [task], input: silent, toJsonSchema: () => ({ type: 'object' }) })).toEqual([])
    expect(notes({ tasks: [{ name: 'save', errors: [] }] })).toEqual([])
  })
})
