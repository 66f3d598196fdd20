import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Inspected } from '@stepwright/app/bindings'
import { parseAuditKeys } from './audit-keys.ts'
import { createAuditLog } from './audit-log.ts'
import { createDynamoDbAuditStore } from './dynamodb-audit-store.ts'

/** What `auditLog` shows: the trail in the table, read with the SDK variables of the given environment. */
export function inspect(
  {
    tableName,
    secret,
    sealSecret,
  }: { readonly tableName: string; readonly secret: string; readonly sealSecret: string },
  environment: Readonly<Record<string, string | undefined>>,
): Inspected['trail'] {
  const client = new DynamoDBClient(toClientConfig(environment))
  const store = createDynamoDbAuditStore({ client, tableName })
  const log = createAuditLog({
    store,
    keys: parseAuditKeys(secret),
    sealKeys: parseAuditKeys(sealSecret),
  })
  return {
    entries: executionId => log.entries({ executionId }),
    async verify(executionId) {
      const result = await log.verify(executionId)
      if (!result.ok) return { isWhole: false, message: `${result.problem.kind}: ${result.problem.message}` }
      const { entries, writers } = result
      return {
        isWhole: true,
        message: `Whole: ${entries} entries of ${writers} writers are as they were written.`,
      }
    },
    async [Symbol.asyncDispose]() {
      client.destroy()
    },
  }
}

/** The SDK reads these variables of its own process only. */
function toClientConfig({
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
}: Readonly<Record<string, string | undefined>>): ConstructorParameters<typeof DynamoDBClient>[0] & object {
  return {
    ...(endpoint && { endpoint }),
    ...(region && { region }),
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
  }
}
