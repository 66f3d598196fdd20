import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { testDynamoDb } from '@stepwright/local-dynamodb/vitest'
import { afterAll, describe, expect, it } from 'vitest'
import { createAuditLog } from './audit-log.ts'
import { createDynamoDbAuditStore } from './dynamodb.ts'
import { createAuditTable } from './test/audit-table.ts'
import { keys, success } from './test/audit-trail.ts'

const { clientConfig, tableName } = testDynamoDb()
const client = new DynamoDBClient(clientConfig)
afterAll(() => client.destroy())

const items = { first: 0, count: 60 }

/** A writer of 60 items that is killed when it has stored so many blocks, and one more of which nobody was told. */
async function killAfter(table: string, blocks: number): Promise<void> {
  const writer = spawn(process.execPath, [
    fileURLToPath(new URL('./test/writer-process.ts', import.meta.url)),
    ...[String(clientConfig.endpoint), table, '0', '60', String(blocks)],
  ])
  const [, signal] = await once(writer, 'exit')
  expect(signal).toBe('SIGKILL')
}

describe('a writer that is killed before it can say that a block is stored', () => {
  it('leaves a trail that its successor goes on with, and nothing twice', async () => {
    const table = await createAuditTable(client, tableName('killed-packed'))
    await killAfter(table, 1)
    const store = createDynamoDbAuditStore({ client, tableName: table })
    const log = createAuditLog({ store, keys, blockSize: 20 })
    await expect(log.seal('run', { items })).rejects.toThrow('item 40 has no entry')
    expect(await log.appendAll(Array.from({ length: 60 }, (_, item) => success(item)))).toBe(60)
    const { mac } = await log.seal('run', { items })
    expect(await log.verify('run', { mac })).toEqual({ ok: true, entries: 60, writers: 2, late: 0 })
  })
})
