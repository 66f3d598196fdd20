import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { randomFrom } from '@stepwright/bench'
import { chaosRounds } from '@stepwright/bench/chaos'
import { type DynamoDb, startDynamoDb } from '@stepwright/local-dynamodb'
import { describe, expect, it } from 'vitest'
import { createAuditLog } from './audit-log.ts'
import type { AuditStore } from './audit-store.ts'
import { createDynamoDbAuditStore } from './dynamodb.ts'
import { createMemoryAuditStore } from './memory-audit-store.ts'
import { createAuditTable } from './test/audit-table.ts'
import { keys } from './test/audit-trail.ts'
import { soak } from './test/soak.ts'

/** Every item once, in order, and a chain that proves it. */
async function expectWhole(store: AuditStore, entries: number): Promise<void> {
  const log = createAuditLog({ store, keys })
  let next = 0
  for await (const { itemIndex, attempt } of log.entries({ executionId: 'run' })) {
    if (itemIndex !== next++ || attempt !== 1) expect.unreachable(`item ${itemIndex} at place ${next - 1}`)
  }
  expect(next).toBe(entries)
  const { entries: sealed } = await log.seal('run')
  expect(sealed).toBeGreaterThanOrEqual(entries)
  expect(await log.verify('run')).toMatchObject({ ok: true, entries: sealed, late: 0 })
}

interface Faulty {
  readonly server: DynamoDb
  readonly client: DynamoDBClient
  readonly tableName: string
}

async function withDynamoDb(run: (faulty: Faulty) => Promise<void>): Promise<void> {
  await using server = await startDynamoDb()
  const client = new DynamoDBClient({ ...server })
  try {
    await run({ server, client, tableName: await createAuditTable(client, 'audit') })
  } finally {
    client.destroy()
  }
}

/** Every tenth call or so is refused, or cut off before or after it was done. */
function injectFaults({ faults }: DynamoDb, calls: number, random: () => number): void {
  for (let skip = 0; skip < calls; skip += 5 + Math.floor(random() * 10)) {
    const kind = Math.floor(random() * 3)
    if (kind === 0) faults.inject({ kind: 'error', skip })
    if (kind === 1) faults.inject({ kind: 'drop', when: 'before', skip })
    if (kind === 2) faults.inject({ kind: 'drop', when: 'after', skip })
  }
}

const rounds = chaosRounds(1)

describe('a trail of 8 writers that are throttled and killed', () => {
  // As many as a run of all tests has time for; 100,000 when there is time.
  const inMemory = rounds > 1 ? 100_000 : 20_000
  it(`has all of ${inMemory} entries once, in memory`, { timeout: 120_000 }, async () => {
    const store = createMemoryAuditStore()
    const { crashes, throttled } = await soak({
      store,
      entries: inMemory,
      writers: 8,
      random: randomFrom(rounds),
      crashRate: 0.05,
      throttleRate: 0.1,
    })
    expect(Math.min(crashes, throttled)).toBeGreaterThan(10)
    await expectWhole(store, inMemory)
  })

  const entries = rounds > 1 ? 100_000 : 5000
  it(`has all of ${entries} entries once, in DynamoDB`, { timeout: 600_000 }, async () => {
    await withDynamoDb(async ({ server, client, tableName }) => {
      const random = randomFrom(rounds)
      injectFaults(server, entries / 50, random)
      const store = createDynamoDbAuditStore({ client, tableName, random })
      const { crashes } = await soak({
        store,
        entries,
        writers: 8,
        random,
        crashRate: 0.05,
        throttleRate: 0.05,
      })
      expect(crashes).toBeGreaterThan(0)
      server.faults.clear()
      await expectWhole(store, entries)
    })
  })

  it('has all entries of processes that were killed', { timeout: 120_000 }, async () => {
    await withDynamoDb(async ({ server, client, tableName }) => {
      const random = randomFrom(rounds)
      const share = 600
      const writeShare = async (writer: number): Promise<void> => {
        const end = (writer + 1) * share
        let done = writer * share
        for (let life = 0; done < end; life += 1) {
          const child = spawn(
            process.execPath,
            [
              fileURLToPath(new URL('./test/writer-process.ts', import.meta.url)),
              ...[server.endpoint, tableName, String(done), String(end)],
            ],
            { stdio: ['ignore', 'pipe', 'inherit'] },
          )
          const exited = once(child, 'exit')
          const killAfter = life < rounds ? 1 + Math.floor(random() * 4) : Number.POSITIVE_INFINITY
          let heard = 0
          for await (const line of createInterface(child.stdout)) {
            done = Number(line)
            if (++heard === killAfter) child.kill('SIGKILL')
          }
          await exited
        }
      }
      await Promise.all([0, 1, 2].map(writeShare))
      await expectWhole(createDynamoDbAuditStore({ client, tableName }), 3 * share)
    })
  })
})
