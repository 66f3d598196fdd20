import type { App } from '@stepwright/app'
import { anyTask as task } from './tasks.ts'

const common = { module: 'handlers.ts', kind: 'call', task } as const
const database = { DATABASE_URL: { database: 'url' } } as const

export const app: App = {
  name: 'records',
  root: new URL('.', import.meta.url),
  resources: {
    buckets: { uploads: {}, output: { bucketName: 'results' } },
    tables: {
      locks: {
        TableName: 'locks',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      },
    },
    secrets: { key: { description: 'a key', localValue: 'only here' } },
  },
  database: { migratedBy: 'Migrate' },
  functions: {
    Migrate: { ...common, export: 'migrate', environment: database },
    Record: { ...common, export: 'record', environment: database },
    Start: {
      ...common,
      export: 'start',
      environment: { RECORD_ARN: { workflow: 'record', may: ['start'] } },
    },
    Look: { ...common, export: 'look', environment: { SECRET: { secret: 'key' } } },
    TestPass: { ...common, export: 'testPass' },
    CallElsewhere: { ...common, export: 'callElsewhere' },
    Misbehave: { ...common, export: 'misbehave', timeoutSeconds: 1 },
    Count: { ...common, export: 'count', timeoutSeconds: 5 },
    Missing: { ...common, export: 'nothing' },
    Broken: { ...common, module: 'no-such-file.ts', kind: 'call', export: 'x' },
  },
  workflows: {
    record: { definition: 'record.asl.json', substitutions: { Output: { bucket: 'output' } } },
    job: { definition: 'job.asl.json' },
  },
  routes: { 'GET /look': { function: 'Look' }, 'GET /count/{to}': { function: 'Count', streaming: true } },
  site: { directory: 'web' },
  standIns: {
    'glue:startJobRun': {
      module: 'stand-ins.ts',
      environment: { OUTPUT: { bucket: 'output', may: ['write'] } },
    },
  },
  triggers: {
    Uploaded: { objectCreated: { bucket: 'uploads', prefix: 'data/', suffix: '.csv' }, calls: 'Start' },
  },
}
