import { defineTask, type Task } from '@stepwright/task'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import {
  api,
  bucket,
  catalogDatabase,
  database,
  glueJob,
  queue,
  reference,
  secret,
  setting,
  table,
  workflow,
} from '../bindings.ts'
import { dynamoDbStream, http, lambda, sqs, standIn } from '../functions.ts'
import { type App, defineApp } from '../index.ts'
import { type Invoke, invoke } from '../invoke.ts'
import type { AppDeclaration } from './app-declaration.ts'

const root = new URL('..', import.meta.url)
const files = bucket('files')
const letters = queue('letters', { visibilitySeconds: 60 })
const importing = workflow('import')
const work = defineTask({
  name: 'work',
  input: z.object({}),
  output: z.object({}),
  errors: [],
  run: (_input, _ports: { value: string }) => ({}),
})
const calling = defineTask({
  name: 'calling',
  input: z.object({ times: z.int() }),
  output: z.object({ at: z.string() }),
  errors: [],
  run: ({ times }, { next }: { next: Invoke<Task<{ times: number }, { at: string }>> }) => next({ times }),
})
const Ping = lambda(calling, { next: invoke<typeof calling>('Pong') })
const Pong = lambda(calling, { next: invoke<typeof calling>('Ping') })
const onFiles = { value: reference(files, 'read') }
const Work = lambda(work, onFiles, { timeoutSeconds: 60, memoryMb: 256, variables: { NODE_OPTIONS: '--x' } })
const Show = http(work, onFiles)
const Take = sqs(work, onFiles)
const Count = dynamoDbStream(work, onFiles)
const stock = table('stock', { TableName: 'stock' })
const valid: AppDeclaration = { name: 'shop', root, functions: { Work }, resources: { files } }

describe('defineApp', () => {
  it('turns functions and resources into plain data', () => {
    const Migrate = lambda(work, { value: reference(database()) })
    const Start = lambda(work, { value: reference(importing, 'start') })
    const app = defineApp({
      name: 'shop',
      root,
      functions: { Work, Show, Take, Count, Migrate, Start },
      resources: { files, letters, stock, db: database(), importing },
      migratedBy: Migrate,
      workflows: [
        [importing, { definition: 'import.asl.json', substitutions: { Files: files, Next: Work } }],
      ],
      routes: { 'GET /work': Show, 'GET /open': { function: Show, authorized: false } },
      triggers: {
        Uploaded: { objectCreated: { bucket: files, prefix: 'in/' }, calls: Work },
        Letter: { queue: letters, batchSize: 5, calls: Take },
        Changed: { stream: stock, batchSize: 20, calls: Count },
        Nightly: { schedule: 'rate(1 day)', input: { days: 3 }, starts: importing },
      },
      metrics: { Rows: { description: 'Rows.', by: [Work] } },
      alarms: {
        Failed: {
          description: 'An import failed.',
          metric: { workflow: importing, name: 'ExecutionsFailed' },
          above: 0,
        },
      },
    })
    expect(app.functions['Work']).toMatchObject({
      module: 'src/functions/index.ts',
      export: 'Work',
      kind: 'call',
      task: { name: 'work' },
      timeoutSeconds: 60,
      memoryMb: 256,
      environment: { FILES_BUCKET: { bucket: 'files', may: ['read'] }, NODE_OPTIONS: '--x' },
    })
    expect(app).toMatchObject({
      database: { migratedBy: 'Migrate' },
      resources: { buckets: { files: {} }, queues: { letters: { visibilitySeconds: 60 } } },
      workflows: {
        import: {
          definition: 'import.asl.json',
          substitutions: { Files: { bucket: 'files' }, Next: { function: 'Work' } },
        },
      },
      routes: { 'GET /work': { function: 'Show' }, 'GET /open': { function: 'Show', authorized: false } },
      triggers: {
        Uploaded: { objectCreated: { bucket: 'files', prefix: 'in/' }, calls: 'Work' },
        Letter: { queue: 'letters', batchSize: 5, calls: 'Take' },
        Changed: { stream: 'stock', batchSize: 20, calls: 'Count' },
        Nightly: { schedule: 'rate(1 day)', input: { days: 3 }, starts: 'import' },
      },
      metrics: { Rows: { by: ['Work'] } },
      alarms: { Failed: { metric: { workflow: 'import', name: 'ExecutionsFailed' } } },
    })
  })

  it('tells tools the JSON Schema of schemas that do not describe themselves', () => {
    const schema = mini.object({ id: mini.string(), at: mini.date() })
    expect(defineApp(valid).toJsonSchema?.(schema, 'input')).toMatchObject({
      properties: { id: { type: 'string' }, at: {} },
      required: ['id', 'at'],
    })
  })

  it('has no type parameters', () => {
    expectTypeOf(defineApp).toEqualTypeOf<(declared: AppDeclaration) => App>()
  })

  it('takes functions that call each other, each with the right to call that one', () => {
    const app = defineApp({ name: 'shop', root, functions: { Ping, Pong } })
    expect(app.functions['Ping']?.environment).toEqual({
      PONG_FUNCTION_ARN: { function: 'Pong', may: ['invoke'] },
    })
    expect(app.functions['Pong']?.environment).toEqual({
      PING_FUNCTION_ARN: { function: 'Ping', may: ['invoke'] },
    })
  })

  it('turns Glue jobs, databases of the catalog and stand-ins into plain data', async () => {
    const locks = table('locks', { TableName: 'locks' })
    const runJob = async (parameters: { x: number }, { place }: { place: string }) => [parameters.x, place]
    const startJobRun = standIn(
      'glue:startJobRun',
      runJob,
      { place: setting('STAND_IN_PLACE', z.string().default('here')) },
      { timeoutSeconds: 9, variables: { MALLOC_ARENA_MAX: 2 } },
    )
    const updateTable = standIn('aws-sdk:glue:updateTable', runJob, { place: reference(files, 'read') })
    const job = glueJob('transform', {
      jobName: 'job',
      script: 'job.py',
      grants: [
        [files, 'read'],
        [locks, 'write'],
      ],
    })
    const lake = catalogDatabase('lake', { databaseName: 'lake' })
    const app = defineApp({
      ...valid,
      resources: { files, locks, job, lake, importing },
      workflows: [[importing, { definition: 'import.asl.json', substitutions: { Job: job, Lake: lake } }]],
      standIns: { startJobRun, updateTable },
    })
    expect(app).toMatchObject({
      resources: {
        glueJobs: {
          transform: {
            jobName: 'job',
            grants: [
              { bucket: 'files', may: ['read'] },
              { table: 'locks', may: ['write'] },
            ],
          },
        },
        catalogDatabases: { lake: { databaseName: 'lake' } },
      },
      workflows: {
        import: { substitutions: { Job: { glueJob: 'transform' }, Lake: { catalogDatabase: 'lake' } } },
      },
      standIns: {
        'glue:startJobRun': {
          module: 'src/stand-ins/index.ts',
          export: 'startJobRun',
          timeoutSeconds: 9,
          environment: { MALLOC_ARENA_MAX: 2 },
        },
        'aws-sdk:glue:updateTable': { environment: { FILES_BUCKET: { bucket: 'files', may: ['read'] } } },
      },
    })
    const { signal } = new AbortController()
    expect(await startJobRun({ x: 7 }, { signal })).toEqual([7, 'here'])
  })

  it('takes workflows whose functions start them, and functions that need the URL of their own API', () => {
    const Again = lambda(work, { value: reference(importing, 'start') })
    const Link = http(work, { value: reference(api()) })
    const app = defineApp({
      name: 'shop',
      root,
      functions: { Again, Link },
      workflows: [[importing, { definition: 'import.asl.json' }]],
      routes: { 'GET /link': Link },
    })
    expect(app.functions['Link']?.environment).toEqual({ API_URL: { api: 'url' } })
  })
})

describe('wrong wiring', () => {
  const keys = secret('keys', { description: 'signs', localValue: 'x' })
  const Stranger = lambda(work, onFiles)
  const Unset = lambda(work, { value: setting('GREETING', z.string()) })
  const Narrow = lambda(work, { value: reference(files, 'read in/2024/*', 'write out/*') })
  const Caller = http(work, onFiles, { caller: 'userId' })
  const wrong: Readonly<Record<string, readonly [Partial<AppDeclaration>, string]>> = {
    'a setting without a value': [
      { functions: { Unset }, resources: {} },
      'function Unset: the setting GREETING has no value; give it one',
    ],
    'a resource that nobody declares': [
      { resources: { other: bucket('file') } },
      'function Work: its binding refers to the bucket files, which the app does not declare; did you mean file?',
    ],
    'a workflow that nobody declares': [
      { functions: { Work: lambda(work, { value: reference(importing, 'start') }) }, resources: {} },
      'refers to the workflow import, which is not in `workflows`',
    ],
    'a resource that nobody uses': [
      { resources: { files, keys } },
      'resources.keys: no function, workflow, trigger or alarm uses the secret keys',
    ],
    'a workflow without a definition': [
      { resources: { files, importing } },
      'resources.importing: the workflow import has no definition',
    ],
    'a stand-in whose resource nobody declares': [
      {
        standIns: { act: standIn('glue:startJobRun', async () => ({}), { x: reference(letters) } as never) },
      },
      'stand-in act: its binding refers to the queue letters, which the app does not declare',
    ],
    'a setting of a stand-in without a value': [
      {
        standIns: {
          act: standIn('glue:startJobRun', async () => ({}), { x: setting('PLACE', z.string()) } as never),
        },
      },
      'stand-in act: the setting PLACE has no value',
    ],
    'two stand-ins for one action': [
      {
        standIns: {
          one: standIn('glue:startJobRun', async () => ({}), {}),
          two: standIn('glue:startJobRun', async () => ({}), {}),
        },
      },
      'standIns.two and standIns.one both answer for glue:startJobRun; remove one',
    ],
    'an export that is not a stand-in': [
      { standIns: { helper: (() => 1) as never } },
      'standIns.helper is not a stand-in; make it with standIn(',
    ],
    'a Glue job that no workflow runs': [
      { resources: { files, job: glueJob('job', { jobName: 'job', script: 'job.py', grants: [] }) } },
      'resources.job: no function, workflow, trigger or alarm uses the glueJob job',
    ],
    'two resources of one name': [
      { resources: { files, same: bucket('files') } },
      'there are two resources of the name bucket files; rename one',
    ],
    "a state's function behind a route": [
      { routes: { 'GET /work': Work as never } },
      'route GET /work: it calls a function made with lambda(), but needs one made with http() or eventStream()',
    ],
    'a function of a route behind a queue': [
      {
        functions: { Work, Show },
        resources: { files, letters },
        triggers: { T: { queue: letters, calls: Show as never } },
      },
      'trigger T: it calls a function made with http(), but needs one made with sqs()',
    ],
    'a function of a queue behind a stream': [
      {
        functions: { Work, Take },
        resources: { files, stock },
        triggers: { T: { stream: stock, calls: Take as never } },
      },
      'trigger T: it calls a function made with sqs(), but needs one made with dynamoDbStream()',
    ],
    'a batch that is too large for a stream': [
      {
        functions: { Work, Count },
        resources: { files, stock },
        triggers: { T: { stream: stock, batchSize: 1001, calls: Count } },
      },
      'trigger T: batchSize',
    ],
    'a function that asks for its caller behind an open route': [
      { functions: { Caller }, routes: { 'GET /mine': { function: Caller, authorized: false } } },
      'route GET /mine: the function asks for its caller, but the route is open to everybody',
    ],
    'a prefix that is too narrow for the objects that call the function': [
      {
        functions: { Narrow },
        triggers: { Uploaded: { objectCreated: { bucket: files, prefix: 'in/' }, calls: Narrow } },
      },
      "trigger Uploaded: it announces objects in/* of the bucket files, but its functions may only read in/2024/*; add the right 'read in/*' to the binding",
    ],
    'a prefix that no function of a started workflow may read': [
      {
        functions: { Narrow },
        workflows: [[importing, { definition: 'import.asl.json' }]],
        triggers: {
          Uploaded: { objectCreated: { bucket: files, prefix: 'in/', suffix: '.csv' }, starts: importing },
        },
      },
      'it announces objects in/*.csv of the bucket files',
    ],
    'a function that the app does not have': [
      { triggers: { T: { schedule: 'rate(1 day)', calls: Stranger } } },
      "trigger T: the function of the task work is not among the app's functions; export it",
    ],
    'a call of a function that the app does not have': [
      { functions: { Ping }, resources: {} },
      'function Ping: its binding refers to the function Pong, which the app does not declare; did you mean Ping?',
    ],
    'a call of a function behind a route': [
      { functions: { Ping, Pong: Show } },
      "function Ping: invoke('Pong'): it calls a function made with http(), but needs one made with lambda()",
    ],
    'an export that is not a function': [
      { functions: { Work, helper: (() => 1) as never } },
      'functions.helper is not a function of an app',
    ],
    'a database without tables': [
      { functions: { Work: lambda(work, { value: reference(database()) }) }, resources: { db: database() } },
      'the app has a database(), but no function creates its tables; set `migratedBy`',
    ],
    'the URL of an API that the app does not have': [
      { functions: { Work: lambda(work, { value: reference(api()) }) }, resources: {} },
      'it needs the URL of the API, but the app has neither routes nor a site',
    ],
  }

  for (const [mistake, [changes, message]] of Object.entries(wrong)) {
    it(`rejects ${mistake}`, () => {
      expect(() => defineApp({ ...valid, ...changes })).toThrow(message)
    })
  }

  it('rejects a setting whose value does not fit its schema', () => {
    expect(() => setting('RATE', z.coerce.number().min(1), { value: 0 })).toThrow('RATE must be at least 1')
  })

  it('rejects one variable with two values', () => {
    const schema = z.coerce.number()
    const two = defineTask({
      name: 'two',
      input: z.object({}),
      output: z.object({}),
      errors: [],
      run: (_input, _ports: { a: number; b: number }) => ({}),
    })
    const bindings = { a: setting('RATE', schema, { value: 1 }), b: setting('RATE', schema, { value: 2 }) }
    expect(() => lambda(two, bindings)).toThrow('the variable RATE would need two values')
  })

  it('is a type error where types can tell', () => {
    // @ts-expect-error: the task has other output
    lambda(calling, { next: invoke<typeof work>('Pong') })
    const app: AppDeclaration = {
      ...valid,
      // @ts-expect-error: a state's function behind a route
      routes: { 'GET /work': Work },
      triggers: {
        // @ts-expect-error: a function of a route behind a queue
        T: { queue: letters, calls: Show },
      },
    }
    expect(app.name).toBe('shop')
  })
})
