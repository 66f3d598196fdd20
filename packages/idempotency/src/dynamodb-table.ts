import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import { powertoolsAttributes } from './dynamodb-attributes.ts'

/** The attribute to name in the table's time-to-live setting. */
export const idempotencyTtlAttribute: string = powertoolsAttributes.expiration

/** What `CreateTableCommand` needs; the same in any other tool that makes tables. */
export function idempotencyTable({ tableName }: { readonly tableName: string }): CreateTableCommandInput {
  const AttributeName = powertoolsAttributes.key
  return {
    TableName: tableName,
    AttributeDefinitions: [{ AttributeName, AttributeType: 'S' }],
    KeySchema: [{ AttributeName, KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  }
}
