import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { testDynamoDb } from '@stepwright/local-dynamodb/vitest'
import { afterAll, describe, expect, it } from 'vitest'
import { createAuditLog } from './audit-log.ts'
import { createDynamoDbAuditStore } from './dynamodb.ts'
import { createAuditTable } from './test/audit-table.ts'
import { all, createSingleLog, keys, success, takeSnapshot } from './test/audit-trail.ts'

const { clientConfig, tableName } = testDynamoDb()
const client = new DynamoDBClient(clientConfig)
afterAll(() => client.destroy())

const items = { first: 0, count: 60 }

/** A writer of 60 items that is killed when it has stored so many blocks, and one more of which nobody was told. */
async function killAfter(table: string, layout: string, blocks: number): Promise<void> {
  const writer = spawn(process.execPath, [
    fileURLToPath(new URL('./test/writer-process.ts', import.meta.url)),
    ...[String(clientConfig.endpoint), table, layout, '0', '60', String(blocks)],
  ])
  const [, signal] = await once(writer, 'exit')
  expect(signal).toBe('SIGKILL')
}

describe('a writer of packed entries that is killed before it can say that a block is stored', () => {
  it('leaves a trail that its successor goes on with, and nothing twice', async () => {
    const table = await createAuditTable(client, tableName('killed-packed'))
    await killAfter(table, 'packed', 1)
    const store = createDynamoDbAuditStore({ client, tableName: table })
    const log = createAuditLog({ store, keys, blockSize: 20 })
    await expect(log.seal('run', { items })).rejects.toThrow('item 40 has no entry')
    expect(await log.appendAll(Array.from({ length: 60 }, (_, item) => success(item)))).toBe(60)
    const { mac } = await log.seal('run', { items })
    expect(await log.verify('run', { mac })).toEqual({ ok: true, entries: 60, writers: 2, late: 0 })
  })
})

describe('a writer that is killed between storing entries and adding their block', () => {
  async function setUp(name: string) {
    const table = await createAuditTable(client, tableName(name))
    await killAfter(table, 'single', 1)
    const store = createDynamoDbAuditStore({ client, tableName: table })
    const { entries, blocks } = await takeSnapshot(store, 'run')
    const committed = new Set(blocks.flatMap(block => block.entryKeys))
    expect(committed.size).toBe(20)
    const orphans = entries.filter(({ entryKey }) => !committed.has(entryKey))
    expect(orphans.length).toBeGreaterThanOrEqual(20)
    return { store, orphans, log: createSingleLog({ store, keys }), remove }

    async function remove(entryKey: string): Promise<void> {
      const Key = { executionId: { S: 'run' }, recordKey: { S: `entry#${entryKey}` } }
      await client.send(new DeleteItemCommand({ TableName: table, Key }))
    }
  }

  it('leaves entries that the seal commits: deleting any of them is found', async () => {
    const { log, orphans, remove } = await setUp('killed')
    const seen = (await all(log.entries({ executionId: 'run' }))).length
    const { mac, entries } = await log.seal('run', { items: { first: 0, count: seen } })
    expect(entries).toBe(seen)
    expect(await log.verify('run', { mac })).toEqual({ ok: true, entries: seen, writers: 2, late: 0 })
    const { entryKey = '' } = orphans[7] ?? {}
    await remove(entryKey)
    expect(await log.verify('run', { mac })).toMatchObject({
      ok: false,
      problem: { kind: 'missing', itemIndex: Number(entryKey.slice(0, 12)) },
    })
  })

  it('lets nothing be sealed when they were deleted before', async () => {
    const { log, store, orphans, remove } = await setUp('deleted')
    for (const { entryKey } of orphans) await remove(entryKey)
    await expect(log.seal('run', { items })).rejects.toMatchObject({
      name: 'AuditVerificationError',
      code: 'missing',
      details: { problem: { itemIndex: 20 } },
    })
    expect(await store.readSeal('run')).toBeUndefined()
  })
})
