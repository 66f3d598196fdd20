import { describe, expect, it } from 'vitest'
import { type CheckOptions, checkWorkflow } from '../index.ts'

const lambda = 'arn:aws:lambda:eu-west-1:123456789012:function:work'
function found(definition: object, options: CheckOptions = {}) {
  return checkWorkflow(definition, options)
    .filter(({ rule }) => rule.startsWith('limits/') && rule !== 'limits/missing-timeout')
    .map(({ rule, pointer }) => `${rule.slice(7)} ${pointer.replace('/States/', '')}`)
}
function machine(States: object, more: object = {}) {
  return { StartAt: Object.keys(States)[0], States, ...more }
}

describe('the time that retries take', () => {
  const retried = (Retry: object[], more: object = {}) =>
    machine({ Work: { Type: 'Task', Resource: lambda, Retry, End: true, ...more } }, { TimeoutSeconds: 100 })
  const late = (index: number) => [`retry-exceeds-timeout Work/Retry/${index}`]

  it.each<[string, object[], object, string[]]>([
    ['waits alone', [{ ErrorEquals: ['A'], IntervalSeconds: 30, MaxAttempts: 2, BackoffRate: 2 }], {}, []],
    [
      'waits alone, too long',
      [{ ErrorEquals: ['A'], IntervalSeconds: 30, MaxAttempts: 3, BackoffRate: 2 }],
      {},
      late(0),
    ],
    [
      'waits that are capped',
      [{ ErrorEquals: ['A'], IntervalSeconds: 30, MaxAttempts: 3, MaxDelaySeconds: 31 }],
      {},
      [],
    ],
    [
      'attempts that time out',
      [{ ErrorEquals: ['A'], MaxAttempts: 3, BackoffRate: 1 }],
      { TimeoutSeconds: 30 },
      late(0),
    ],
    [
      'several retriers together',
      [
        { ErrorEquals: ['A'], MaxAttempts: 1, IntervalSeconds: 60 },
        { ErrorEquals: ['B'], MaxAttempts: 1, IntervalSeconds: 60 },
      ],
      {},
      late(1),
    ],
    [
      'attempts without number',
      [{ ErrorEquals: ['A'], MaxAttempts: 99_999_999, BackoffRate: 1 }],
      {},
      late(0),
    ],
  ])('%s', (_name, retry, more, expected) => expect(found(retried(retry, more))).toEqual(expected))

  it('is five minutes in an Express workflow', () => {
    const retry = [{ ErrorEquals: ['A'], IntervalSeconds: 200, MaxAttempts: 2, BackoffRate: 1 }]
    const definition = machine({ Work: { Type: 'Task', Resource: lambda, Retry: retry, End: true } })
    expect(found(definition)).toEqual([])
    expect(found(definition, { type: 'EXPRESS' })).toEqual(late(0))
  })
})

describe('heartbeats and callbacks', () => {
  const task = (Resource: string, more: object) =>
    found(machine({ Work: { Type: 'Task', Resource, End: true, ...more } }))

  it.each<[string, object, string[]]>([
    [
      'arn:aws:states:::lambda:invoke',
      { HeartbeatSeconds: 5 },
      ['heartbeat-never-sent Work/HeartbeatSeconds'],
    ],
    ['arn:aws:states:::ecs:runTask.sync', { HeartbeatSecondsPath: '$.h' }, []],
    [
      'arn:aws:states:::lambda:invoke.waitForTaskToken',
      { HeartbeatSeconds: 5, Parameters: { FunctionName: 'f', Payload: { 't.$': '$$.Task.Token' } } },
      [],
    ],
    [
      'arn:aws:states:::lambda:invoke.waitForTaskToken',
      { HeartbeatSeconds: 5, Parameters: { FunctionName: 'f', 'Payload.$': '$' } },
      ['callback-without-token Work/Parameters'],
    ],
    ['arn:aws:states:eu-west-1:123456789012:activity:work', { TimeoutSeconds: 50, HeartbeatSeconds: 5 }, []],
    ['arn:aws:states:eu-west-1:123456789012:activity:work', {}, ['callback-without-timeout Work/Resource']],
    [`$${'{ActivityArn}'}`, { HeartbeatSeconds: 5 }, []],
  ])('%s %j', (resource, more, expected) => expect(task(resource, more)).toEqual(expected))
})

describe('what the payload holds', () => {
  const output = (rows: object) => ({
    type: 'object',
    properties: { rows },
    required: ['rows'],
    additionalProperties: false,
  })
  const tasks = (rows: object) => ({ work: { name: 'work', errors: [], output: output(rows) } })
  const row = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } }
  const work = (more: object = {}) => ({ Work: { Type: 'Task', Resource: lambda, End: true, ...more } })
  const each = (more: object) => ({
    Work: { Type: 'Task', Resource: lambda, Next: 'Each' },
    Each: {
      Type: 'Map',
      ItemsPath: '$.rows',
      ItemProcessor: {
        StartAt: 'Row',
        States: { Row: { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage', End: true } },
      },
      End: true,
      ...more,
    },
  })

  it('is judged by the number and size of rows', () => {
    const list = (maxItems?: number) => tasks({ type: 'array', items: row, ...(maxItems && { maxItems }) })
    expect(found(machine(work()), { tasks: list() })).toEqual(['rows-in-payload Work'])
    expect(found(machine(work()), { tasks: list(50_000) })).toEqual(['rows-in-payload Work'])
    expect(found(machine(work()), { tasks: list(500) })).toEqual([])
    expect(found(machine(work({ ResultPath: null })), { tasks: list() })).toEqual([])
    expect(found(machine(work()), { tasks: tasks({ type: 'array', items: { type: 'string' } }) })).toEqual([])
  })

  it('is told once, where a Map reads it', () => {
    expect(found(machine(each({})), { tasks: tasks({ type: 'array', items: row }) })).toEqual([
      'inline-map-events Each',
      'rows-in-payload Each/ItemsPath',
    ])
    expect(
      found(machine(each({})), { tasks: tasks({ type: 'array', items: row, maxItems: 3_000 }) }),
    ).toEqual([])
    expect(
      found(machine(each({})), { tasks: tasks({ type: 'array', items: row, maxItems: 4_000 }) }),
    ).toEqual(['inline-map-events Each'])
  })

  it('is not filled by a Distributed Map whose results go elsewhere', () => {
    const distributed = (more: object) => {
      const ItemProcessor = {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
        StartAt: 'Row',
        States: { Row: { Type: 'Pass', End: true } },
      }
      return found(machine({ Each: { Type: 'Map', ItemProcessor, End: true, ...more } }))
    }
    expect(distributed({})).toEqual(['map-results Each'])
    expect(distributed({ ResultPath: null })).toEqual([])
    expect(distributed({ ResultSelector: { done: true } })).toEqual([])
    expect(distributed({ ResultWriter: { Resource: 'arn:aws:states:::s3:putObject' } })).toEqual([])
    expect(distributed({ QueryLanguage: 'JSONata', Output: '{% $states.input %}' })).toEqual([])
    expect(distributed({ QueryLanguage: 'JSONata', Output: '{% $states.result %}' })).toEqual([
      'map-results Each',
    ])
  })
})
