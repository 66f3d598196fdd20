import {
  type Binding,
  bindFrom,
  type Rights,
  reference,
  type SecretResource,
  showing,
  type TableResource,
} from '@stepwright/app/bindings'
import { parseAuditKeys } from './audit-keys.ts'
import { type AuditLog, type AuditLogOptions, createAuditLog } from './audit-log.ts'

export interface AuditLogBinding extends Omit<AuditLogOptions, 'store' | 'keys'> {
  readonly table: TableResource
  /** Its value is `id:base64`, several separated by commas: the first signs, the others verify. */
  readonly keys: SecretResource
  /** @default read and append: a function that records can neither change nor delete */
  readonly may?: readonly Rights['table'][]
}

/** The audit log in a DynamoDB table of `auditTable`. */
export function auditLog({
  table,
  keys,
  may = ['read', 'append'],
  ...options
}: AuditLogBinding): Binding<AuditLog> {
  const needed = { tableName: reference(table, ...may), secret: reference(keys) }
  const opened = bindFrom(needed, async ({ tableName, secret }) => {
    const [{ DynamoDBClient }, { createDynamoDbAuditStore }] = await Promise.all([
      import('./dynamodb-client.ts'),
      import('./dynamodb-audit-store.ts'),
    ])
    const store = createDynamoDbAuditStore({ client: new DynamoDBClient({}), tableName })
    return createAuditLog({ ...options, store, keys: parseAuditKeys(secret) })
  })
  return showing(opened, {
    kind: 'trail',
    name: table.name,
    of: needed,
    inspect: () => import('./inspect.ts'),
  })
}
