import { type App, defineApp } from '@stepwright/app'
import { workflow } from '@stepwright/app/bindings'
import { http } from '@stepwright/app/functions'
import { defineTask } from '@stepwright/task'
import { routeTasks } from '@stepwright/task/router'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { sourceOfValue } from '../source/source-of-value.ts'
import { checkApp } from './check-app.ts'

const task = defineTask({ name: 'any', input: z.unknown(), output: z.unknown(), errors: [], run: () => null })
const common = { module: 'handlers.ts', kind: 'call', export: 'handler', task, timeoutSeconds: 10 } as const
const root = new URL('.', import.meta.url)

/** As definitions write it. */
function placeholder(name: string): string {
  return `\${${name}}`
}

function definition(states: object = {}, fields: object = {}) {
  return {
    StartAt: 'Split',
    TimeoutSeconds: 600,
    ...fields,
    States: {
      Split: { Type: 'Task', Resource: placeholder('Split'), TimeoutSeconds: 20, End: true, ...states },
    },
  }
}

const sound = {
  name: 'sound',
  root,
  functions: { Split: common },
  workflows: { import: { definition: 'import.asl.json' } },
  triggers: { Nightly: { schedule: 'rate(1 day)', starts: 'import' } },
} as const

function check(app: App, text: object = definition()) {
  const sources = { import: sourceOfValue(text, 'import.asl.json') }
  return checkApp(app, { sources }).map(({ rule, file, pointer, message }) => ({
    rule,
    file,
    pointer,
    message,
  }))
}

describe('checkApp', () => {
  it('finds nothing in an app whose parts fit', () => {
    expect(check(sound satisfies App)).toEqual([])
  })

  it('names a placeholder that nothing stands for, in the definition', () => {
    const misspelt = definition({ Resource: placeholder('Splt') })
    const found = checkApp(sound satisfies App, {
      sources: { import: sourceOfValue(misspelt, 'import.asl.json') },
    })
    expect(found).toMatchObject([
      {
        rule: 'app/unknown-placeholder',
        file: 'import.asl.json',
        pointer: '/States/Split/Resource',
        suggestion: `Did you mean ${placeholder('Split')}?`,
      },
      { rule: 'app/unused-function' },
    ])
  })

  it('knows substitutions and pseudo parameters', () => {
    const app: App = {
      ...sound,
      resources: { buckets: { output: {} } },
      workflows: {
        import: {
          definition: 'import.asl.json',
          substitutions: { CsvFunctionArn: { function: 'Split' }, Output: { bucket: 'output' } },
        },
      },
    }

    const fields = {
      Resource: placeholder('CsvFunctionArn'),
      Parameters: { to: placeholder('Output'), part: placeholder('AWS::Partition') },
    }
    expect(check(app, definition(fields))).toEqual([])
  })

  it('names a function that nobody calls and a workflow that nobody starts', () => {
    const { triggers: _, ...untriggered } = sound
    const app: App = { ...untriggered, functions: { Split: common, Spare: common } }
    expect(check(app)).toMatchObject([
      { rule: 'app/unused-function', file: 'stepwright.config.ts', pointer: '/functions/Spare' },
      { rule: 'app/workflow-never-started', pointer: '/workflows/import' },
    ])
  })

  it.each<[string, object]>([
    ['a route', { routes: { 'GET /x': { function: 'Spare' } } }],
    ['a trigger', { triggers: { ...sound.triggers, T: { schedule: 'rate(1 hour)', calls: 'Spare' } } }],
    ['the database', { database: { migratedBy: 'Spare' } }],
  ])('takes a function that %s calls for used', (_what, more) => {
    const app: App = { ...sound, functions: { Split: common, Spare: common }, ...more }
    expect(check(app)).toEqual([])
  })

  it('names a state that calls a function made for a route or a queue', () => {
    const Split = http(task, {}, { timeoutSeconds: 10 })
    const app = defineApp({
      name: 'sound',
      root,
      functions: { Split },
      workflows: [[workflow('import'), { definition: 'import.asl.json' }]],
      routes: { 'GET /x': Split },
      triggers: { Nightly: { schedule: 'rate(1 day)', starts: workflow('import') } },
    })
    expect(check(app)).toEqual([
      {
        rule: 'app/function-kind',
        file: 'import.asl.json',
        pointer: '/States/Split/Resource',
        message: '"Split" calls Split, which is made for a route.',
      },
    ])
  })

  it('names an action that a task needs and no binding of its function allows', () => {
    const reading = defineTask({
      ...task,
      needs: {
        ports: {},
        permissions: [
          { actions: ['s3:GetObject', 's3:PutObject'], on: 'the CSV' },
          { actions: ['states:StopExecution'], on: 'the executions', optional: true },
        ],
      },
      run: () => null,
    })
    const app: App = { ...sound, functions: { Split: { ...common, task: reading } } }
    const sources = { import: sourceOfValue(definition(), 'import.asl.json') }
    const found = (...allowed: string[]) =>
      checkApp(app, { sources, allowedActions: () => new Set(allowed) }).map(({ rule, pointer, message }) => [
        rule,
        pointer,
        message,
      ])
    expect(found('s3:GetObject')).toEqual([
      [
        'app/missing-permission',
        '/functions/Split',
        'The task any needs s3:PutObject on the CSV, and no binding of Split allows it.',
      ],
    ])
    expect(found('s3:GetObject', 's3:PutObject')).toEqual([])
  })

  it('names limits that do not lie inside each other', () => {
    const app: App = {
      ...sound,
      functions: { Split: { ...common, timeoutSeconds: 60 } },
      routes: { 'GET /x': { function: 'Split' }, 'GET /y': { function: 'Split', streaming: true } },
    }
    const found = check(app, definition({}, { TimeoutSeconds: 15 }))
    expect(found.map(({ pointer, message }) => [pointer, message])).toEqual([
      ['/States/Split/TimeoutSeconds', '"Split" may take 20 s, and the machine as a whole 15 s.'],
      ['/States/Split/TimeoutSeconds', '"Split" gives up after 20 s, but Split may go on for 60 s.'],
      ['/routes/GET ~1x', 'GET /x is answered within 29 s or not at all, but Split may take 60 s.'],
    ])
  })

  describe('of a function that serves several states', () => {
    const quick = defineTask({
      name: 'quick',
      input: z.unknown(),
      output: z.unknown(),
      errors: [],
      maxSeconds: 15,
      run: () => null,
    })
    const router = routeTasks({ name: 'router', field: 'do', routes: { quick, slow: task } })
    const app: App = {
      ...sound,
      functions: { Split: { ...common, task: router, timeoutSeconds: 60 } },
    }

    it('takes the limit of the task that the state reaches', () => {
      expect(check(app, definition({ Parameters: { do: 'quick' } }))).toEqual([])
    })

    it('names a task that may go on after its state gave up', () => {
      const found = check(app, definition({ Parameters: { do: 'quick' }, TimeoutSeconds: 14 }))
      expect(found.map(({ message }) => message)).toEqual([
        '"Split" gives up after 14 s, but the task quick may go on for 15 s.',
      ])
    })

    it.each(['slow', 'unknown'])('takes the limit of the function where the task has none: %s', route => {
      const found = check(app, definition({ Parameters: { do: route } }))
      expect(found.map(({ message }) => message)).toEqual([
        '"Split" gives up after 20 s, but Split may go on for 60 s.',
      ])
    })

    it('takes the limit of the function where it is the smaller one', () => {
      const short: App = {
        ...sound,
        functions: { Split: { ...common, task: quick, timeoutSeconds: 12 } },
      }
      expect(check(short, definition({ TimeoutSeconds: 12 }))).toEqual([])
    })

    it('lets a route call a slow function whose task ends in time', () => {
      const routed: App = {
        ...sound,
        functions: { Split: { ...common, task: quick, timeoutSeconds: 60 } },
        routes: { 'GET /x': { function: 'Split' }, 'GET /y': { function: 'Split', streaming: true } },
      }
      expect(check(routed)).toEqual([])
    })
  })
})
