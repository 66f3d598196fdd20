import { bucket, catalogDatabase, glueJob, table, workflow } from '@stepwright/app/bindings'
import { idempotencyTable, idempotencyTtlAttribute } from '@stepwright/idempotency/table'

export const raw = bucket('raw', { bucketName: 'data-transform-raw' })
export const curated = bucket('curated', { bucketName: 'data-transform-curated' })
export const locks = table('locks', {
  ...idempotencyTable({ tableName: 'data-transform-locks' }),
  TimeToLiveAttribute: idempotencyTtlAttribute,
})
export const transform = workflow('transform')

export const transformJob = glueJob('transform', {
  jobName: 'data-transform-job',
  script: 'glue/transform.py',
  timeoutMinutes: 55,
  // Spark puts its files in place by deleting temporary ones.
  grants: [
    [raw, 'read'],
    [curated, 'read */runs/*', 'write */runs/*', 'delete */runs/*'],
    [locks, 'write'],
  ],
  actions: [
    's3:GetObject',
    's3:PutObject',
    's3:AbortMultipartUpload',
    's3:DeleteObject',
    'dynamodb:UpdateItem',
  ],
})

export const catalog = catalogDatabase('catalog', { databaseName: 'data_transform' })
