import { DynamoDBClient, ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { inspectShown, type Shown, secret, table } from '@stepwright/app/bindings'
import { testDynamoDb } from '@stepwright/local-dynamodb/vitest'
import { afterAll, describe, expect, it } from 'vitest'
import { createAuditLog } from './audit-log.ts'
import { auditLog } from './bindings.ts'
import { createDynamoDbAuditStore } from './dynamodb.ts'
import { auditTable } from './dynamodb-table.ts'
import { parseAuditKeys } from './index.ts'
import { createAuditTable } from './test/audit-table.ts'
import { success } from './test/audit-trail.ts'

const { clientConfig, tableName } = testDynamoDb()
const client = new DynamoDBClient(clientConfig)
afterAll(() => client.destroy())

const keys = `local:${Buffer.alloc(32, 'k').toString('base64')}`

describe('auditLog', () => {
  it('shows its trail to tools: the entries, and whether they are as they were written', async () => {
    const name = await createAuditTable(client, tableName('shown'))
    const log = createAuditLog({
      store: createDynamoDbAuditStore({ client, tableName: name }),
      keys: parseAuditKeys(keys),
    })
    await log.append(success(0))
    await log.seal('run')

    const binding = auditLog({
      table: table('trail', auditTable({ tableName: name })),
      keys: secret('keys', { description: 'signs', localValue: keys }),
    })
    const [shown] = binding.needs.shows as [Shown<'trail'>]
    await using trail = await inspectShown(shown, {
      TRAIL_TABLE: name,
      KEYS_SECRET: keys,
      AWS_ENDPOINT_URL_DYNAMODB: String(clientConfig.endpoint),
      AWS_REGION: clientConfig.region,
      AWS_ACCESS_KEY_ID: clientConfig.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: clientConfig.credentials.secretAccessKey,
    })
    const entries: object[] = []
    for await (const entry of trail.entries('run')) entries.push(entry)
    expect(entries).toMatchObject([{ executionId: 'run', itemIndex: 0 }])
    expect(await trail.verify('run')).toEqual({
      isWhole: true,
      message: 'Whole: 1 entries of 1 writers are as they were written.',
    })

    const { Items = [] } = await client.send(new ScanCommand({ TableName: name }))
    for (const { executionId, recordKey } of Items) {
      await client.send(
        new UpdateItemCommand({
          TableName: name,
          Key: { executionId, recordKey } as never,
          UpdateExpression: 'remove chains, #mac',
          ExpressionAttributeNames: { '#mac': 'mac' },
        }),
      )
    }
    expect(await trail.verify('run')).toMatchObject({
      isWhole: false,
      message: expect.stringMatching(/^\S+: /),
    })
  })
})
