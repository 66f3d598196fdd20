import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'

export interface AuditTableOptions {
  readonly tableName: string
}

/** What `CreateTableCommand` needs; the same in any other tool that makes tables. */
export function auditTable({ tableName }: AuditTableOptions): CreateTableCommandInput {
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: texts('executionId', 'recordKey'),
    KeySchema: key('executionId'),
  }
}

/** The same for a table of seals alone, which those who write entries need no access to. */
export function auditSealTable({ tableName }: AuditTableOptions): CreateTableCommandInput {
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: texts('executionId', 'recordKey'),
    KeySchema: key('executionId'),
  }
}

function texts(...names: readonly string[]): CreateTableCommandInput['AttributeDefinitions'] {
  return names.map(AttributeName => ({ AttributeName, AttributeType: 'S' }))
}

function key(hash: string): CreateTableCommandInput['KeySchema'] {
  return [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: 'recordKey', KeyType: 'RANGE' },
  ]
}
