import type { App } from '@stepwright/app'
import { anyTask as task } from './tasks.ts'

/** An app whose events start executions, so that it can be seen which of them arrived. */
export const delivered: App = {
  name: 'delivered',
  root: new URL('.', import.meta.url),
  resources: {
    buckets: { uploads: {} },
    tables: {
      stock: {
        TableName: 'delivered-stock',
        AttributeDefinitions: [{ AttributeName: 'sku', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'sku', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      },
    },
  },
  functions: {
    Collect: { module: 'triggered-handlers.ts', kind: 'call', export: 'collect', task },
    Note: { module: 'triggered-handlers.ts', kind: 'dynamodb', export: 'note', task },
  },
  workflows: { noted: { definition: 'noted.asl.json' } },
  triggers: {
    Objects: { objectCreated: { bucket: 'uploads' }, starts: 'noted' },
    Mails: { event: { source: ['aws.ses'] }, starts: 'noted' },
    Orders: { event: { source: ['shop'] }, starts: 'noted' },
    Changes: { stream: 'stock', batchSize: 5, calls: 'Note' },
  },
}
