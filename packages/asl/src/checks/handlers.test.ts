import { describe, expect, it } from 'vitest'
import { type CheckOptions, checkWorkflow } from '../index.ts'

function lambda(name: string) {
  return `arn:aws:lambda:eu-west-1:123456789012:function:${name}`
}
const retry = { intervalSeconds: 2, maxAttempts: 3, backoffRate: 2 }
const tasks = {
  write: {
    name: 'write',
    errors: [
      { name: 'ValidationError', kind: 'business' },
      { name: 'TemporaryError', kind: 'retryable', retry },
    ],
  },
} as const

function found(States: object, group: string, options: CheckOptions = { tasks }) {
  return checkWorkflow({ StartAt: Object.keys(States)[0], States }, options)
    .filter(({ rule }) => rule.startsWith(group))
    .map(({ rule, pointer }) => `${rule} ${pointer.replace('/States/', '')}`)
}

function write(fields: object) {
  return { Type: 'Task', Resource: lambda('write'), ...fields }
}
function caught(Next: string, ErrorEquals = ['States.ALL']) {
  return [{ ErrorEquals, ResultPath: '$.error', Next }]
}
const failed = { Type: 'Fail', Error: 'Failed' }
function parallel(inner: object, fields: object) {
  return {
    Type: 'Parallel',
    Branches: [{ StartAt: 'Write', States: { Write: inner } }],
    End: true,
    ...fields,
  }
}

describe('names', () => {
  const names = (Resource: string, name: string, options: CheckOptions = {}) =>
    found(
      { Call: { Type: 'Task', Resource, Retry: [{ ErrorEquals: [name] }], End: true } },
      'names/',
      options,
    ).map(each => each.split(' ')[0])

  it.each([
    ['Map', 'ItemProcessor'],
    ['Parallel', 'Branches'],
  ])('of a %s are those that what is inside raises', (Type, field) => {
    const inside = (state: object) => ({ StartAt: 'Inner', States: { Inner: state } })
    const around = (name: string, state: object = write({ End: true })) =>
      found(
        {
          Each: {
            Type,
            [field]: field === 'Branches' ? [inside(state)] : inside(state),
            Catch: caught('Failed', [name]),
            End: true,
          },
          Failed: failed,
        },
        'names/',
      )
    expect(around('ValidationError')).toEqual([])
    expect(around('ValidatonError')).toEqual(['names/unknown-error Each/Catch/0/ErrorEquals/0'])
    expect(around('ValidatonError', write({ Catch: caught('Own'), Next: 'Own' }))).toEqual([
      'names/unknown-error Each/Catch/0/ErrorEquals/0',
    ])
    expect(around('Anything', { Type: 'Task', Resource: lambda('unknown'), End: true })).toEqual([])
    expect(around('Anything', { Type: 'Fail', ErrorPath: '$.name' })).toEqual([])
    expect(around('Failed', { Type: 'Fail', Error: 'Other' })).toEqual([])
    expect(around('Othr', { Type: 'Fail', Error: 'Other' })).toEqual([
      'names/unknown-error Each/Catch/0/ErrorEquals/0',
    ])
  })

  it.each([
    ['arn:aws:states:::ecs:runTask.sync', 'Ecs.AmazonECSException', ['names/wrong-prefix']],
    ['arn:aws:states:::ecs:runTask.sync', 'ECS.AmazonECSException', []],
    ['arn:aws:states:::aws-sdk:ecs:runTask', 'ECS.EcsException', ['names/wrong-prefix']],
    ['arn:aws:states:::aws-sdk:dynamodb:putItem', 'DynamoDb.ConditionalCheckFailedException', []],
    ['arn:aws:states:::dynamodb:putItem', 'DynamoDb.ConditionalCheckFailedException', ['names/wrong-prefix']],
    [lambda('other'), 'Lambda.TooManyRequestException', ['names/unknown-error']],
    [lambda('other'), 'Lambda.SnapStartException', []],
    [lambda('other'), 'AnyNameAtAll', []],
    ['arn:aws:states:::http:invoke', 'States.Http.StatusCode.429', []],
    ['arn:aws:states:::http:invoke', 'States.Http.StatusCode.4xx', ['names/unknown-reserved']],
    [lambda('other'), 'states.all', ['names/unknown-reserved']],
  ])('%s: %s', (resource, name, expected) => expect(names(resource, name)).toEqual(expected))

  it('lets a callback fail with any name', () => {
    expect(names(lambda('write'), 'SomethingElse', { tasks })).toEqual(['names/unknown-error'])
    const callback = {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
      Parameters: { FunctionName: 'write' },
      End: true,
    }
    expect(found({ Call: { ...callback, Retry: [{ ErrorEquals: ['SomethingElse'] }] } }, 'names/')).toEqual(
      [],
    )
  })

  it('knows what Fail states raise, and what comes out of a Parallel', () => {
    const inner = (fields: object) => ({ StartAt: 'Stop', States: { Stop: { Type: 'Fail', ...fields } } })
    const machine = (error: string) => ({
      Both: {
        Type: 'Parallel',
        Branches: [inner({ Error: 'Enough' })],
        Retry: [{ ErrorEquals: [error] }],
        End: true,
      },
    })
    expect(found(machine('Enough'), 'names/')).toEqual([])
    expect(
      found(
        { Both: parallel(write({ End: true }), { Retry: [{ ErrorEquals: ['TemporaryErorr'] }] }) },
        'names/',
      ),
    ).toEqual(['names/unknown-error Both/Retry/0/ErrorEquals/0'])
  })
})

describe('kinds', () => {
  it('looks at what comes out of a Parallel or an inline Map', () => {
    const retried = { Retry: [{ ErrorEquals: ['States.ALL'] }] }
    const inMap = (Mode: 'INLINE' | 'DISTRIBUTED') => ({
      Each: {
        Type: 'Map',
        ItemProcessor: {
          ProcessorConfig: { Mode, ...(Mode === 'DISTRIBUTED' && { ExecutionType: 'STANDARD' }) },
          StartAt: 'Write',
          States: {
            Write: write({ Retry: [{ ErrorEquals: ['TemporaryError'], IntervalSeconds: 2 }], End: true }),
          },
        },
        ...retried,
        End: true,
      },
    })
    expect(found(inMap('INLINE'), 'kinds/')).toEqual(['kinds/business-retried Each/Retry/0/ErrorEquals'])
    expect(found(inMap('DISTRIBUTED'), 'kinds/')).toEqual([])
    const inside = write({
      Retry: [{ ErrorEquals: ['TemporaryError'], IntervalSeconds: 2 }],
      Catch: caught('Stop', ['ValidationError']),
      End: true,
    })
    const both = {
      Type: 'Parallel',
      Branches: [{ StartAt: 'Write', States: { Write: inside, Stop: { Type: 'Pass', End: true } } }],
      ...retried,
      End: true,
    }
    expect(found({ Both: both }, 'kinds/')).toEqual([])
  })

  it('lets a retrier around the state do', () => {
    const named = { Retry: [{ ErrorEquals: ['TemporaryError'], IntervalSeconds: 2 }] }
    expect(found({ Both: parallel(write({ End: true }), named) }, 'kinds/')).toEqual([])
    const inside = write({ Catch: caught('Stop'), End: true })
    const both = {
      Type: 'Parallel',
      Branches: [{ StartAt: 'Write', States: { Write: inside, Stop: failed } }],
      ...named,
      End: true,
    }
    expect(found({ Both: both }, 'kinds/')).toEqual([
      'kinds/retryable-not-retried Both/Branches/0/States/Write',
    ])
  })

  it('counts a retrier with MaxAttempts 0 as none', () => {
    const never = { ErrorEquals: ['TemporaryError'], MaxAttempts: 0 }
    expect(
      found(
        { Write: write({ Retry: [never, { ErrorEquals: ['States.TaskFailed'] }], End: true }) },
        'kinds/',
      ),
    ).toEqual(['kinds/retryable-not-retried Write/Retry', 'kinds/business-retried Write/Retry/1/ErrorEquals'])
  })

  it('compares a policy with Step Functions’ defaults', () => {
    const named = (fields: object) =>
      found(
        { Write: write({ Retry: [{ ErrorEquals: ['TemporaryError'], ...fields }], End: true }) },
        'kinds/',
      )
    expect(named({ IntervalSeconds: 2 })).toEqual([])
    expect(named({})).toEqual(['kinds/policy-contradicts Write/Retry/0'])
    expect(named({ IntervalSeconds: 2, JitterStrategy: 'FULL' })).toEqual([
      'kinds/policy-contradicts Write/Retry/0',
    ])
  })
})

describe('routes', () => {
  it('lets an outer catcher take what an inner state lets go', () => {
    const inner = write({ End: true })
    expect(found({ Both: parallel(inner, {}) }, 'routes/uncaught')).toEqual([
      'routes/uncaught Both/Branches/0/States/Write',
    ])
    expect(
      found({ Both: parallel(inner, { Catch: caught('Failed') }), Failed: failed }, 'routes/uncaught'),
    ).toEqual([])
  })

  it('does not ask for catchers where a failure is handled already', () => {
    const states = {
      Write: write({ Catch: caught('Undo'), End: true }),
      Undo: write({ Next: 'Failed' }),
      Failed: failed,
    }
    expect(found(states, 'routes/uncaught')).toEqual([])
  })

  it('leaves a failure alone that joins the normal course', () => {
    const states = {
      Write: write({ Catch: caught('Go on'), Next: 'Go on' }),
      'Go on': { Type: 'Pass', End: true },
    }
    expect(found(states, 'routes/failure')).toEqual([])
    const later = {
      Write: write({ Catch: caught('Default'), Next: 'Go on' }),
      Default: { Type: 'Pass', Next: 'Go on' },
      'Go on': { Type: 'Pass', End: true },
    }
    expect(found(later, 'routes/failure')).toEqual([])
  })

  it('leaves catchers alone that are part of the plan', () => {
    const get = {
      Type: 'Task',
      Resource: 'arn:aws:states:::dynamodb:putItem',
      Catch: caught('There', ['DynamoDB.ConditionalCheckFailedException']),
      End: true,
    }
    expect(found({ Get: get, There: { Type: 'Succeed' } }, 'routes/failure')).toEqual([])
    const race = {
      Type: 'Parallel',
      Branches: [{ StartAt: 'Won', States: { Won: { Type: 'Fail', Error: 'Won' } } }],
      Catch: caught('Done', ['Won']),
      End: true,
    }
    expect(found({ Race: race, Done: { Type: 'Succeed' } }, 'routes/failure')).toEqual([])
  })

  it('names the way by which a failure ends as a success', () => {
    const states = {
      Write: write({ Catch: caught('Note'), End: true }),
      Note: { Type: 'Pass', Next: 'End' },
      End: { Type: 'Succeed' },
    }
    const [finding] = checkWorkflow({ StartAt: 'Write', States: states }).filter(
      ({ rule }) => rule === 'routes/failure-succeeds',
    )
    expect(finding).toMatchObject({
      pointer: '/States/End/Type',
      message: expect.stringContaining('Note → End'),
    })
  })

  it('knows what shadows what', () => {
    const order = (...names: string[][]) =>
      found(
        { Write: write({ Retry: names.map(ErrorEquals => ({ ErrorEquals })), End: true }) },
        'routes/shadowed',
      )
    expect(order(['States.TaskFailed'], ['States.Timeout'])).toEqual([])
    expect(order(['States.TaskFailed'], ['TemporaryError', 'States.Timeout'])).toEqual([
      'routes/shadowed Write/Retry/1/ErrorEquals/0',
    ])
    expect(order(['TemporaryError'], ['TemporaryError'])).toEqual([
      'routes/shadowed Write/Retry/1/ErrorEquals/0',
    ])
    expect(order(['States.TaskFailed'], ['States.ALL'])).toEqual([])
  })
})
