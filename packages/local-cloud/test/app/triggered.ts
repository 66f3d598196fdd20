import type { App } from '@stepwright/app'
import { order, anyTask as task } from './tasks.ts'

const common = { module: 'triggered-handlers.ts', kind: 'call', task } as const

/** An app that is called by everything that can call one. */
export const triggered: App = {
  name: 'triggered',
  root: new URL('.', import.meta.url),
  resources: {
    buckets: { uploads: {} },
    tables: {
      stock: {
        TableName: 'triggered-stock',
        AttributeDefinitions: [{ AttributeName: 'sku', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'sku', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveAttribute: 'endsAt',
      },
    },
    queues: { mail: { visibilitySeconds: 60, maxReceives: 2 }, steps: { fifo: true }, orders: {} },
  },
  functions: {
    Send: {
      ...common,
      export: 'send',
      environment: { MAIL_URL: { queue: 'mail', may: ['send'] } },
    },
    Order: {
      ...common,
      task: order,
      export: 'handleOrders',
      environment: { DEAD_LETTERS_URL: { deadLettersOf: 'orders', may: ['send'] } },
    },
    Publish: {
      ...common,
      export: 'publish',
      permissions: [{ actions: ['events:PutEvents'], resources: ['*'] }],
    },
    Collect: { ...common, export: 'collect', concurrency: 1 },
    Step: { ...common, export: 'collect' },
    Uploaded: { ...common, export: 'collect' },
    Ordered: { ...common, export: 'collect' },
    Nightly: { ...common, export: 'collect' },
    Counted: { ...common, export: 'collect' },
    Failing: { ...common, export: 'fail' },
  },
  workflows: {
    failing: { definition: 'failing.asl.json' },
    noted: { definition: 'noted.asl.json' },
    calling: { definition: 'calling.asl.json', substitutions: { Mail: { queue: 'mail' } } },
  },
  triggers: {
    Mail: { queue: 'mail', calls: 'Collect' },
    Orders: { queue: 'orders', calls: 'Order' },
    Steps: { queue: 'steps', calls: 'Step' },
    Stock: { stream: 'stock', batchSize: 10, calls: 'Counted' },
    Objects: { objectCreated: { bucket: 'uploads', prefix: 'in/', suffix: '.csv' }, calls: 'Uploaded' },
    BigOrders: {
      event: { source: ['shop'], detail: { total: [{ numeric: ['>', 100] }] } },
      calls: 'Ordered',
    },
    Errors: {
      event: { source: ['aws.states'], detail: { status: ['FAILED'], name: [{ prefix: 'noted-' }] } },
      starts: 'noted',
    },
    Night: { schedule: 'cron(0 3 * * ? *)', calls: 'Nightly' },
    Often: { schedule: 'rate(5 minutes)', input: { often: true }, calls: 'Nightly' },
    Broken: { event: { source: ['broken'] }, calls: 'Failing' },
  },
}
