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

export interface AuditLogBinding extends Omit<AuditLogOptions, 'store' | 'keys' | 'sealKeys'> {
  readonly table: TableResource
  /** Its value is `id:base64`, several separated by commas: the first signs, the others verify. */
  readonly keys: SecretResource
  /** What signs and verifies seals, in the same form; for the functions that seal, and not for those that record. @default keys */
  readonly sealKeys?: SecretResource
  /** @default read and append: a function that records can neither change nor delete */
  readonly may?: readonly Rights['table'][]
}

/** The audit log in a DynamoDB table of `auditTable`. */
export function auditLog({
  table,
  keys,
  sealKeys = keys,
  may = ['read', 'append'],
  ...options
}: AuditLogBinding): Binding<AuditLog> {
  const needed = {
    tableName: reference(table, ...may),
    secret: reference(keys),
    sealSecret: reference(sealKeys),
  }
  const opened = bindFrom(needed, async ({ tableName, secret, sealSecret }) => {
    const [{ DynamoDBClient }, { createDynamoDbAuditStore }] = await Promise.all([
      import('./dynamodb-client.ts'),
      import('./dynamodb-audit-store.ts'),
    ])
    const store = createDynamoDbAuditStore({ client: new DynamoDBClient({}), tableName })
    const signing = { keys: parseAuditKeys(secret), sealKeys: parseAuditKeys(sealSecret) }
    return createAuditLog({ ...options, ...signing, store })
  })
  return showing(opened, {
    kind: 'trail',
    name: table.name,
    of: needed,
    inspect: () => import('./inspect.ts'),
  })
}
