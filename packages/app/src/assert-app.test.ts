import { defineTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { assertApp } from './assert-app.ts'
import {
  type App,
  objectCreatedPattern,
  physicalNames,
  resolveEnvironment,
  resolveSubstitutions,
} from './index.ts'

const task = defineTask({
  name: 'split',
  input: z.object({}),
  output: z.object({}),
  errors: [],
  run: () => ({}),
})
const split = { module: 'src/functions/index.ts', export: 'Split', kind: 'call', task } as const
const root = new URL('..', import.meta.url)

const app: App = {
  name: 'imports',
  root,
  resources: {
    buckets: { rawUploads: { expiry: [{ prefix: 'chunks/', days: 7 }] }, output: { bucketName: 'results' } },
    queues: { letters: {} },
    secrets: { auditKeys: { description: 'signs trails', localValue: 'local:key' } },
  },
  database: { migratedBy: 'Migrate' },
  functions: {
    Split: {
      ...split,
      environment: {
        UPLOADS: { bucket: 'rawUploads', may: ['read'] },
        IMPORT_ARN: { workflow: 'import', may: ['start'] },
        DATABASE_URL: { database: 'url' },
        PUBLIC_URL: { api: 'url' },
        KEYS: { secret: 'auditKeys' },
        MAX_ROWS: 5000,
        FAILED: { deadLettersOf: 'letters', may: ['send'] },
      },
    },
    Migrate: { ...split, export: 'Migrate' },
  },
  workflows: {
    import: { definition: 'import.asl.json', substitutions: { Output: { bucket: 'output' } } },
  },
  routes: { 'POST /imports': { function: 'Split' } },
  standIns: {
    'glue:startJobRun': { module: 'jobs.ts', environment: { OUTPUT: { bucket: 'output', may: ['write'] } } },
  },
  triggers: {
    Uploaded: { objectCreated: { bucket: 'rawUploads', prefix: 'data/' }, calls: 'Split' },
    Nightly: { schedule: 'cron(0 3 * * ? *)', starts: 'import' },
  },
  alarms: {
    ImportFailed: {
      description: 'an import failed',
      metric: { workflow: 'import', name: 'ExecutionsFailed' },
      above: 0,
    },
  },
}

const places = {
  functionArn: (name: string) => `arn:function:${name}`,
  workflowArn: (name: string) => `arn:workflow:${name}`,
  bucketName: (name: string) => physicalNames(app).buckets[name] ?? '',
  tableName: (name: string) => name,
  queueUrl: (name: string) => name,
  deadLetterUrl: (name: string) => `${name}-dead`,
  glueJobName: (name: string) => name,
  secretValue: (name: string) => `secret ${name}`,
  catalogDatabaseName: (name: string) => name,
  configurationSetName: (name: string) => name,
  databaseUrl: () => 'postgres://there',
  apiUrl: () => 'https://api.example',
}

describe('assertApp', () => {
  it('refuses names that do not exist', () => {
    const wrong = { name: 'imports', root, functions: { Split: split } } as const
    const unknownFunction = () => assertApp({ ...wrong, routes: { 'GET /x': { function: 'Splt' } } })
    expect(unknownFunction).toThrow(
      new TypeError('route GET /x: there is no function Splt; did you mean Split?'),
    )
    const unknownWorkflow = () =>
      assertApp({ ...wrong, triggers: { T: { schedule: 'rate(1 hour)', starts: 'run' } } })
    expect(unknownWorkflow).toThrow(
      new TypeError('trigger T: there is no workflow run; the app declares no workflow'),
    )
    const unknownBucket = () =>
      assertApp({
        ...wrong,
        resources: { buckets: { uploads: {} } },
        functions: { Split: { ...split, environment: { A: { bucket: 'upload', may: ['read'] } } } },
      })
    expect(unknownBucket).toThrow(
      /function Split: environment A: there is no bucket upload; did you mean uploads/,
    )
    const noPath = () =>
      // @ts-expect-error a path is needed
      assertApp({ ...wrong, routes: { GET: { function: 'Split' } } })
    expect(noPath).toThrow(/method and a path/)
  })

  it.each<[string, object, RegExp]>([
    [
      'an environment',
      { environment: { A: { bucket: 'nowhere', may: ['read'] } } },
      /environment A: there is no bucket/,
    ],
    [
      'dead letters',
      { environment: { A: { deadLettersOf: 'nowhere', may: ['send'] } } },
      /environment A: there is no queue nowhere/,
    ],
    ['an API that is not declared', { environment: { A: { api: 'url' } } }, /declares no routes/],
    ['a database that is not declared', { environment: { A: { database: 'url' } } }, /declares no database/],
    ['a timeout', { timeoutSeconds: 901 }, /timeoutSeconds must be a whole number from 1 to 900, not 901/],
    ['memory', { memoryMb: 64 }, /memoryMb must be/],
    ['concurrency', { concurrency: 0.5 }, /concurrency must be/],
  ])('refuses %s that cannot be', (_what, change, message) => {
    const made = () => assertApp({ name: 'imports', root, functions: { Split: { ...split, ...change } } })
    expect(made).toThrow(message)
  })

  it.each<[string, object, RegExp]>([
    ['glue:startJobRun.sync', {}, /stand-in glue:startJobRun.sync: must be a service and an action/],
    ['arn:aws:states:::glue:startJobRun', {}, /without "arn:aws:states:::" and ".sync"/],
    ['glue:startJobRun', { timeoutSeconds: 0 }, /timeoutSeconds must be a whole number/],
    ['glue:startJobRun', { environment: { A: { bucket: 'nowhere' } } }, /A: there is no bucket/],
  ])('refuses the stand-in %s %j', (key, change, message) => {
    const standIns = { [key]: { module: 'jobs.ts', ...change } }
    expect(() => assertApp({ name: 'imports', root, functions: {}, standIns })).toThrow(message)
  })

  it.each([
    [{ site: { directory: '/web' } }, /site: directory must be a path relative to the app's root/],
    [
      { site: { directory: 'web' }, routes: { 'GET /': { function: 'Split' } } },
      /route GET \/: the site has this path/,
    ],
  ] as const)('refuses a site that cannot be served', (change, message) => {
    const made = () => assertApp({ name: 'imports', root, functions: { Split: split }, ...change })
    expect(made).toThrow(message)
  })

  it.each<[object, RegExp]>([
    [
      {
        glueJobs: {
          etl: { jobName: 'etl', script: 'etl.py', grants: [{ bucket: 'nowhere', may: ['read'] }] },
        },
      },
      /Glue job etl: there is no bucket nowhere/,
    ],
  ])('refuses the resources %j', (resources, message) => {
    expect(() => assertApp({ name: 'imports', root, functions: {}, resources })).toThrow(message)
  })

  it.each(['Imports', '', 'an app', 'x'.repeat(41)])('refuses the name %j', name => {
    expect(() => assertApp({ name, root, functions: {} })).toThrow(/the app's name must be/)
  })

  it('refuses what Lambda does not take of a queue', () => {
    const poll = (trigger: object, queue: object = {}, change: object = {}) => {
      const triggers = { T: { queue: 'letters', calls: 'Split', ...trigger } } as const
      const functions = { Split: { ...split, ...change } }
      return () =>
        assertApp({ name: 'imports', root, resources: { queues: { letters: queue } }, functions, triggers })
    }
    expect(poll({ batchSize: 11 })).toThrow(
      'trigger T: batchSize must be a whole number from 1 to 10, not 11',
    )
    expect(poll({}, {}, { timeoutSeconds: 31 })).toThrow(
      'trigger T: visibilitySeconds of the queue letters must be at least 31, the timeoutSeconds of Split, not 30',
    )
    expect(poll({}, { visibilitySeconds: 31 }, { timeoutSeconds: 31 })).not.toThrow()
  })

  it.each(['rate(0 minutes)', 'rate(5)', 'cron(0 3 * *)'] as const)('refuses the schedule %s', schedule => {
    const triggers = { T: { schedule, calls: 'Split' } } as const
    expect(() => assertApp({ name: 'imports', root, functions: { Split: split }, triggers })).toThrow(
      /schedule must be/,
    )
  })
})

describe('physicalNames', () => {
  it('begins with the name of the app where nothing else is said', () => {
    expect(physicalNames(app)).toEqual({
      functions: { Split: 'imports-Split', Migrate: 'imports-Migrate' },
      workflows: { import: 'imports-import' },
      buckets: { rawUploads: 'imports-raw-uploads', output: 'results' },
      tables: {},
      queues: { letters: 'imports-letters' },
      deadLetterQueues: { letters: 'imports-letters-dead' },
      glueJobs: {},
      configurationSets: {},
      catalogDatabases: {},
    })
  })
})

describe('objectCreatedPattern', () => {
  it.each([
    [{}, undefined],
    [{ prefix: 'data/' }, [{ prefix: 'data/' }]],
    [{ suffix: '.csv' }, [{ suffix: '.csv' }]],
    [{ prefix: 'a*/', suffix: '.csv' }, [{ wildcard: 'a\\*/*.csv' }]],
  ])('asks for objects %j', (given, key) => {
    expect(objectCreatedPattern('uploads', given)).toEqual({
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: { bucket: { name: ['uploads'] }, ...(key && { object: { key } }) },
    })
  })
})

describe('resolving references', () => {
  it('puts in where things are', () => {
    expect(resolveEnvironment(app, 'Split', places)).toEqual({
      UPLOADS: 'imports-raw-uploads',
      IMPORT_ARN: 'arn:workflow:import',
      DATABASE_URL: 'postgres://there',
      PUBLIC_URL: 'https://api.example',
      KEYS: 'secret auditKeys',
      MAX_ROWS: '5000',
      FAILED: 'letters-dead',
    })
    expect(resolveEnvironment(app, 'Migrate', places)).toEqual({})
    expect(resolveEnvironment(app, 'glue:startJobRun', places)).toEqual({ OUTPUT: 'results' })
  })

  it('takes a placeholder that is called like a function for that function', () => {
    expect(resolveSubstitutions(app, 'import', places)).toEqual({
      Split: 'arn:function:Split',
      Migrate: 'arn:function:Migrate',
      Output: 'results',
    })
  })
})
