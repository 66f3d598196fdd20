import { DatabaseConnectionError } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createAuditLog } from './audit-log.ts'
import { createMemoryAuditStore } from './memory-audit-store.ts'
import {
  auditTaskErrors,
  type RecordOutcomesInput,
  type RecordOutcomesPorts,
  recordAudit,
  recordOutcomes,
  sealAudit,
  type VerifyAuditOutput,
  verifyAudit,
} from './tasks.ts'
import { all, createSnapshotStore, keys, takeSnapshot } from './test/audit-trail.ts'

// As the state machine of the CSV workflow sends them.
const events = [
  {
    eventType: 'AUDIT_LOGGING',
    logType: 'SUCCESS',
    executionId: 'user-log-20240802-001',
    itemIndex: 0,
    userRecord: { ユーザーID: 'U00001', ログイン回数: '5', 投稿回数: '12' },
    processResult: { updated: true },
    timestamp: '2024-08-02T12:34:56.789Z',
  },
  {
    eventType: 'AUDIT_LOGGING',
    logType: 'BUSINESS_ERROR',
    executionId: 'user-log-20240802-001',
    itemIndex: 1,
    userRecord: { ユーザーID: 'U00002', ログイン回数: 'three', 投稿回数: '8' },
    error: { Error: 'DataValidationError', Cause: '{"errorMessage":"not a number"}' },
    timestamp: '2024-08-02T12:34:57Z',
  },
  {
    eventType: 'AUDIT_LOGGING',
    logType: 'SYSTEM_ERROR',
    executionId: 'user-log-20240802-001',
    itemIndex: 2,
    userRecord: { ユーザーID: 'U00003' },
    error: { Error: 'States.Timeout' },
    timestamp: '2024-08-02T21:34:58+09:00',
  },
] as const
const executionId = 'user-log-20240802-001'

describe('recordAudit, sealAudit and verifyAudit', () => {
  it('keep a trail that proves itself', async () => {
    const audit = createAuditLog({ store: createMemoryAuditStore(), keys })
    for (const event of events) {
      expect(await recordAudit.run(event, { audit })).toEqual({ recorded: true })
      await recordAudit.run(event, { audit })
    }
    const entries = await all(audit.entries({ executionId }))
    expect(entries).toEqual([
      { ...withoutEventType(events[0]), attempt: 1 },
      { ...withoutEventType(events[1]), attempt: 1, timestamp: '2024-08-02T12:34:57.000Z' },
      { ...withoutEventType(events[2]), attempt: 1, timestamp: '2024-08-02T12:34:58.000Z' },
    ])
    expect(await sealAudit.run({ executionId }, { audit })).toMatchObject({ entries: 3, writers: 1 })
    expect(await verifyAudit.run({ executionId }, { audit })).toEqual({
      isComplete: true,
      entries: 3,
      writers: 1,
      late: 0,
    })
  })

  it('fail by name where the trail is broken', async () => {
    const store = createMemoryAuditStore()
    const audit = createAuditLog({ store, keys })
    for (const event of events) await recordAudit.run(event, { audit })
    await sealAudit.run({ executionId }, { audit })
    const snapshot = await takeSnapshot(store, executionId)
    snapshot.packs.splice(1, 1)
    const broken = createAuditLog({ store: createSnapshotStore(snapshot), keys })
    await expect(verifyAudit.run({ executionId }, { audit: broken })).rejects.toMatchObject({
      name: 'AuditVerificationError',
      code: 'missing',
      details: { problem: { sequence: 1 } },
    })
    await expect(sealAudit.run({ executionId }, { audit: broken })).rejects.toMatchObject({
      name: 'AuditVerificationError',
      code: 'missing',
    })
  })

  it('verify a long trail in several calls', async () => {
    const audit = createAuditLog({ store: createMemoryAuditStore(), keys, blockSize: 1 })
    const entries = Array.from({ length: 170 }, (_, itemIndex) => ({ ...events[0], itemIndex }))
    await audit.appendAll(entries)
    const { mac } = await sealAudit.run({ executionId }, { audit })
    const results: VerifyAuditOutput[] = []
    let checkpoint: string | undefined
    for (let calls = 0; calls < 9 && results.at(-1)?.isComplete !== true; calls += 1) {
      let leftMs = 40_000
      const remainingMs = (): number => {
        leftMs -= 10_000
        return leftMs
      }
      const result = await verifyAudit.run({ executionId, mac, checkpoint }, { audit }, { remainingMs })
      results.push(result)
      checkpoint = result.isComplete ? undefined : result.checkpoint
    }
    expect(results.map(({ isComplete }) => isComplete)).toEqual([false, true])
    expect(results[1]).toEqual({ isComplete: true, entries: 170, writers: 1, late: 0 })
    const other = verifyAudit.run({ executionId, mac, checkpoint: 'x' }, { audit })
    await expect(other).rejects.toMatchObject({ name: 'DataValidationError', code: 'CHECKPOINT' })
  })

  it('refuse an entry that is none', async () => {
    const audit = createAuditLog({ store: createMemoryAuditStore(), keys })
    const bad = { ...events[0], timestamp: 'now' }
    await expect(recordAudit.run(bad, { audit })).rejects.toMatchObject({ name: 'DataValidationError' })
    for (const given of [{ itemIndex: -1 }, { itemIndex: 1e12 }, { attempt: 0 }, { userRecord: 1n }]) {
      const refused = recordAudit.run({ ...events[0], ...given }, { audit })
      await expect(refused).rejects.toMatchObject({ name: 'DataValidationError' })
    }
  })
})

describe('recordOutcomes', () => {
  const batch = z.object({ rows: z.array(z.int()) })
  const task = recordOutcomes({ batch })
  const event = {
    eventType: 'AUDIT_LOGGING',
    executionId: 'run',
    logType: 'SUCCESS',
    itemIndex: 0,
    userRecord: { rows: [1, 2, 3] },
    processResult: { rowCount: 3 },
    timestamp: '2024-08-02T12:34:56.789Z',
  } satisfies RecordOutcomesInput<{ rows: number[] }> & { eventType: string; itemIndex: number }

  function setUp() {
    const audit = createAuditLog({ store: createMemoryAuditStore(), keys })
    const ports: RecordOutcomesPorts<{ rows: number[] }> = {
      audit,
      async *outcomesOf({ userRecord }) {
        for (const itemIndex of userRecord.rows) {
          if (itemIndex % 2 === 0) yield { itemIndex, logType: 'BUSINESS_ERROR', error: { Error: 'Even' } }
          else yield { itemIndex, logType: 'SUCCESS' }
        }
      },
    }
    return { audit, ports }
  }

  it('records every item of a batch, and the same when it is repeated', async () => {
    const { audit, ports } = setUp()
    expect(await task.run(event, ports)).toEqual({ recorded: 3 })
    expect(await task.run(event, ports)).toEqual({ recorded: 3 })
    const entries = await all(audit.entries({ executionId: 'run' }))
    expect(entries.map(entry => [entry.itemIndex, entry.logType, entry.timestamp])).toEqual([
      [1, 'SUCCESS', event.timestamp],
      [2, 'BUSINESS_ERROR', event.timestamp],
      [3, 'SUCCESS', event.timestamp],
    ])
    expect(
      await sealAudit.run({ executionId: 'run', items: { first: 1, count: 3 } }, { audit }),
    ).toMatchObject({
      entries: 3,
    })
  })

  it('records only items without an entry, if it is told so', async () => {
    const { audit, ports } = setUp()
    await task.run({ ...event, userRecord: { rows: [2, 4] }, attempt: 2 }, ports)
    const later = { ...event, timestamp: '2024-08-02T12:40:00Z', onlyMissing: true }
    expect(await task.run({ ...later, userRecord: { rows: [1, 2, 3, 4, 5] } }, ports)).toEqual({
      recorded: 3,
    })
    expect(await task.run({ ...later, userRecord: { rows: [4, 5, 6] } }, ports)).toEqual({ recorded: 1 })
    const entries = await all(audit.entries({ executionId: 'run' }))
    expect(entries.map(entry => [entry.itemIndex, entry.attempt])).toEqual([
      [1, 1],
      [2, 2],
      [3, 1],
      [4, 2],
      [5, 1],
      [6, 1],
    ])
    const unsorted = task.run({ ...later, userRecord: { rows: [8, 7] } }, ports)
    await expect(unsorted).rejects.toMatchObject({ name: 'DataValidationError' })
  })

  it('refuses what is no batch, and an entry that is none', async () => {
    const { ports } = setUp()
    for (const rows of [['x'], undefined, [-1]]) {
      const bad = { ...event, userRecord: { rows: rows as number[] } }
      await expect(task.run(bad, ports)).rejects.toMatchObject({ name: 'DataValidationError' })
    }
  })

  it('declares what its port may fail with', async () => {
    const { ports } = setUp()
    const failing = {
      ...ports,
      outcomesOf: () => {
        throw new DatabaseConnectionError('lost')
      },
    }
    const declared = recordOutcomes({ batch, errors: [DatabaseConnectionError] })
    await expect(declared.run(event, failing)).rejects.toMatchObject({ name: 'DatabaseConnectionError' })
    await expect(task.run(event, failing)).rejects.toMatchObject({ name: 'UnexpectedError' })
  })
})

describe('every handler', () => {
  it.each([recordAudit, recordOutcomes({ batch: z.unknown() }), sealAudit, verifyAudit])(
    '$name says what it does and needs, and announces no error but those of auditTaskErrors',
    ({ description, needs, errors }) => {
      expect(description).toMatch(/\.$/)
      expect(needs?.ports).toHaveProperty('audit')
      expect(needs?.permissions.flatMap(({ actions }) => actions).join()).not.toMatch(
        /Delete|BatchWrite|PutItem/,
      )
      expect(auditTaskErrors).toEqual(expect.arrayContaining([...errors]))
    },
  )
})

function withoutEventType({ eventType: _, ...event }: (typeof events)[number]): object {
  return event
}
