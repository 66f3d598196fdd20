import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'

export const failuresIndex = 'failures'

/** The attribute to name in the table's time-to-live setting. */
export const auditTtlAttribute = 'expiresAt'

/** What `CreateTableCommand` needs; the same in any other tool that makes tables. */
export function toAuditTable(tableName: string): CreateTableCommandInput {
  const key = (hash: string): CreateTableCommandInput['KeySchema'] => [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: 'recordKey', KeyType: 'RANGE' },
  ]
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['executionId', 'recordKey', 'failedExecutionId'].map(AttributeName => ({
      AttributeName,
      AttributeType: 'S',
    })),
    KeySchema: key('executionId'),
    GlobalSecondaryIndexes: [
      // Only failures have its key: they are few, and what people look for.
      {
        IndexName: failuresIndex,
        KeySchema: key('failedExecutionId'),
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  }
}
