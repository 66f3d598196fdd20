import { bucket, database, secret, table, workflow } from '@stepwright/app/bindings'
import { auditTable } from '@stepwright/audit-log/table'

export const input = bucket('input', {
  bucketName: 'csv-processing-bucket',
  expiry: [{ prefix: 'chunks/', days: 30 }],
})
export const output = bucket('output', { bucketName: 'csv-processing-output-bucket' })
export const audit = table('audit', auditTable({ tableName: 'csv-processing-audit' }))
export const auditKeys = secret('auditKeys', {
  description: 'Signs the audit trails: id:base64, several separated by commas, the first one signs.',
  localValue: `local:${Buffer.alloc(32, 'csv-processor').toString('base64')}`,
})
export const sealKeys = secret('sealKeys', {
  description: 'Signs the seals of audit trails, in the same form; functions that record do not have it.',
  localValue: `local-seal:${Buffer.alloc(32, 'csv-processor seals').toString('base64')}`,
})
export const db = database()
export const processing = workflow('process')
