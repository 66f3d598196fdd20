import { describe, expect, it } from 'vitest'
import { type CheckOptions, checkWorkflow, type RuleId } from './index.ts'

const lambda = 'arn:aws:lambda:eu-west-1:123456789012:function:work'
const retry = [
  {
    ErrorEquals: [
      'Lambda.ServiceException',
      'Lambda.AWSLambdaException',
      'Lambda.SdkClientException',
      'Lambda.TooManyRequestsException',
    ],
  },
]
const tasks = {
  work: {
    name: 'work',
    errors: [{ name: 'ValidationError', kind: 'business' as const }],
    input: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    output: {
      type: 'object',
      properties: { total: { type: 'number' } },
      required: ['total'],
      additionalProperties: false,
    },
  },
}
const input = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    kind: { enum: ['a', 'b'] },
    rows: { type: 'array', items: { type: 'object' }, maxItems: 5 },
    note: { type: 'string' },
  },
  required: ['id', 'kind', 'rows'],
  additionalProperties: false,
}

const done = { Type: 'Succeed' }
const failed = { Type: 'Fail', ErrorPath: '$.error.Error' }
const work = {
  Type: 'Task',
  Resource: lambda,
  Retry: retry,
  Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Failed' }],
}
const sns = {
  Type: 'Task',
  Resource: 'arn:aws:states:::sns:publish',
  Parameters: { TopicArn: 't', Message: 'm' },
}
const sub = { StartAt: 'B', States: { B: { Type: 'Pass', End: true } } }
const distributed = { ...sub, ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' } }

/** A first state with a mistake in it, and the rule that has to find it; more states where they are needed. */
const planted: readonly (readonly [string, object, RuleId, object?])[] = [
  [
    'a misspelt error',
    { ...work, Catch: [{ ErrorEquals: ['ValidatonError'], Next: 'Done' }] },
    'names/unknown-error',
  ],
  [
    'a misspelt error of Step Functions',
    { ...sns, Catch: [{ ErrorEquals: ['States.Timout'], Next: 'Done' }] },
    'names/unknown-reserved',
  ],
  [
    'a misspelt prefix',
    { ...sns, Catch: [{ ErrorEquals: ['Sns.NotFound'], Next: 'Done' }] },
    'names/wrong-prefix',
  ],
  [
    'a misspelt error of Lambda',
    { ...work, Retry: [{ ErrorEquals: ['Lambda.TooManyRequestException'] }] },
    'names/unknown-error',
  ],
  [
    'a catcher of States.Runtime',
    { ...sns, Catch: [{ ErrorEquals: ['States.Runtime'], Next: 'Done' }] },
    'names/uncatchable',
  ],
  [
    'a catcher of an item’s error at a Distributed Map',
    {
      Type: 'Map',
      ItemsPath: '$.rows',
      ItemProcessor: distributed,
      ResultPath: null,
      Catch: [{ ErrorEquals: ['ValidationError'], Next: 'Done' }],
    },
    'names/unknown-error',
  ],
  [
    'a business error that is retried',
    { ...work, Retry: [{ ErrorEquals: ['States.TaskFailed'] }] },
    'kinds/business-retried',
  ],
  ['a business error that nobody catches', { ...work, Catch: [] }, 'routes/uncaught'],
  [
    'a retrier behind a wider one',
    { ...sns, Retry: [{ ErrorEquals: ['States.TaskFailed'] }, { ErrorEquals: ['SNS.InternalError'] }] },
    'routes/shadowed',
  ],
  [
    'States.ALL before others',
    { ...sns, Retry: [{ ErrorEquals: ['States.ALL'] }, { ErrorEquals: ['States.Timeout'] }] },
    'routes/all-not-last',
  ],
  ['Lambda’s own errors not retried', { ...work, Retry: [] }, 'routes/lambda-transient'],
  [
    'a failure that ends well',
    { ...work, Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Noted' }] },
    'routes/failure-succeeds',
    { Noted: { Type: 'Pass', End: true } },
  ],
  [
    'a Choice that leaves a value out',
    { Type: 'Choice', Choices: [{ Variable: '$.kind', StringEquals: 'a', Next: 'Done' }], Next: undefined },
    'routes/no-default',
  ],
  ['a path that is not there', { Type: 'Pass', Parameters: { 'x.$': '$.ids' } }, 'flow/missing-path'],
  ['an optional field', { Type: 'Pass', Parameters: { 'x.$': '$.note' } }, 'flow/optional-field'],
  [
    'a catcher that drops the input',
    { ...work, Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Tell' }] },
    'flow/catcher-drops-input',
    {
      Tell: {
        ...sns,
        Parameters: { TopicArn: 't', 'Message.$': '$.id' },
        Retry: [{ ErrorEquals: ['States.ALL'] }],
        Next: 'Failed',
      },
    },
  ],
  ['an input that the task refuses', { ...work, Parameters: { id: 3 } }, 'flow/input-mismatch'],
  [
    'a field of the context that does not exist',
    { Type: 'Pass', Parameters: { 'x.$': '$$.Execution.ARN' } },
    'flow/unknown-context',
  ],
  [
    'the item’s index in the child of a Distributed Map',
    {
      Type: 'Map',
      ItemsPath: '$.rows',
      ResultPath: null,
      ItemProcessor: {
        ...distributed,
        States: { B: { Type: 'Pass', Parameters: { 'i.$': '$$.Map.Item.Index' }, End: true } },
      },
    },
    'flow/unknown-context',
  ],
  [
    'a variable that nobody assigned',
    { Type: 'Pass', Parameters: { 'x.$': '$total' } },
    'flow/unassigned-variable',
  ],
  [
    'a variable that nobody assigned, inside an expression',
    { Type: 'Pass', QueryLanguage: 'JSONata', Output: '{% $string($total) %}' },
    'flow/unassigned-variable',
  ],
  [
    'a result that the service does not give',
    { ...sns, ResultSelector: { 'id.$': '$.Payload.id' } },
    'flow/missing-path',
  ],
  [
    'a result that the task does not give',
    { ...work, ResultSelector: { 'sum.$': '$.sum' } },
    'flow/missing-path',
  ],
  ['a ResultPath into a list', { ...sns, ResultPath: '$.rows.sent' }, 'flow/result-path'],
  [
    'a path without .$',
    { ...sns, Parameters: { TopicArn: 't', Message: '$.id' } },
    'flow/expression-as-text',
  ],
  ['a function without .$', { Type: 'Pass', Parameters: { id: 'States.UUID()' } }, 'flow/expression-as-text'],
  [
    'JSONata in a JSONPath state',
    { Type: 'Pass', Parameters: { id: '{% $states.input.id %}' } },
    'flow/expression-as-text',
  ],
  [
    'an execution’s name of chance',
    {
      Type: 'Task',
      Resource: 'arn:aws:states:::states:startExecution',
      Parameters: { StateMachineArn: 'm', 'Name.$': 'States.UUID()' },
    },
    'flow/unstable-execution-name',
  ],
  ['a heartbeat that nobody sends', { ...work, HeartbeatSeconds: 5 }, 'limits/heartbeat-never-sent'],
  [
    'a token that nobody gets',
    { ...sns, Resource: 'arn:aws:states:::sns:publish.waitForTaskToken', TimeoutSeconds: 5 },
    'limits/callback-without-token',
  ],
  [
    'a callback without an end',
    {
      ...sns,
      Resource: 'arn:aws:states:::sns:publish.waitForTaskToken',
      Parameters: { 'Message.$': '$$.Task.Token' },
    },
    'limits/callback-without-timeout',
  ],
  [
    'results of a Distributed Map in the payload',
    { Type: 'Map', ItemsPath: '$.rows', ItemProcessor: distributed },
    'limits/map-results',
  ],
  [
    'retries beyond the timeout',
    { ...sns, Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 900, MaxAttempts: 9 }] },
    'limits/retry-exceeds-timeout',
  ],
  ['a misspelt field', { ...sns, ResultPaht: '$.x' }, 'valid/unknown-field'],
  ['a way to nowhere', { Type: 'Pass', Next: 'Dnoe' }, 'valid/transition'],
  ['an action that does not exist', { ...sns, Resource: 'arn:aws:states:::sns:pubish' }, 'valid/field-value'],
  ['a bare name in JSONata', { Type: 'Pass', QueryLanguage: 'JSONata', Output: '{% id %}' }, 'valid/jsonata'],
  [
    'a function that JSONata does not have',
    { Type: 'Pass', QueryLanguage: 'JSONata', Output: '{% $upper("a") %}' },
    'flow/unknown-function',
  ],
  ['a path that cannot be read', { Type: 'Pass', InputPath: '$.a b' }, 'valid/path'],
]

function rulesFor(state: object, more: object = {}, options: CheckOptions = {}): readonly RuleId[] {
  const definition = {
    StartAt: 'First',
    TimeoutSeconds: 900,
    States: { First: { Next: 'Done', ...state }, Done: done, ...more, Failed: failed },
  }
  return checkWorkflow(JSON.parse(JSON.stringify(definition)), { tasks, input, ...options }).map(
    ({ rule }) => rule,
  )
}

describe('mistakes that were planted', () => {
  it('are of 39 kinds', () => expect(new Set(planted.map(([name]) => name)).size).toBe(39))

  for (const [name, state, rule, more] of planted)
    it(name, () => expect(rulesFor(state, more)).toContain(rule))

  it('are not found where there are none', () => {
    expect(rulesFor({ ...work, Parameters: { 'id.$': '$.id' } })).toEqual([])
    expect(
      rulesFor(
        {
          Type: 'Choice',
          Choices: [
            { Variable: '$.kind', StringEquals: 'a', Next: 'Done' },
            { Variable: '$.kind', StringEquals: 'b', Next: 'Failed' },
          ],
          Next: undefined,
        },
        { Failed: { Type: 'Fail' } },
      ).filter(rule => rule !== 'valid/unreachable' && rule !== 'flow/missing-path'),
    ).toEqual([])
  })
})
