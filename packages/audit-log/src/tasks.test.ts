import { describe, expect, it } from 'vitest'
import { createAuditLog } from './audit-log.ts'
import { createMemoryAuditStore } from './memory-audit-store.ts'
import { recordAudit, sealAudit, verifyAudit } from './tasks.ts'
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
    expect(await sealAudit.run({ executionId }, { audit })).toMatchObject({ entries: 6, writers: 1 })
    expect(await verifyAudit.run({ executionId }, { audit })).toEqual({ entries: 6, writers: 1, late: 0 })
  })

  it('fail by name where the trail is broken', async () => {
    const store = createMemoryAuditStore()
    const audit = createAuditLog({ store, keys })
    for (const event of events) await recordAudit.run(event, { audit })
    await sealAudit.run({ executionId }, { audit })
    const snapshot = await takeSnapshot(store, executionId)
    snapshot.entries.splice(1, 1)
    const broken = createAuditLog({ store: createSnapshotStore(snapshot), keys })
    await expect(verifyAudit.run({ executionId }, { audit: broken })).rejects.toMatchObject({
      name: 'AuditVerificationError',
      code: 'missing',
      details: { problem: { itemIndex: 1, sequence: 1 } },
    })
    snapshot.blocks.splice(1, 1)
    await expect(sealAudit.run({ executionId }, { audit: broken })).rejects.toMatchObject({
      name: 'AuditVerificationError',
      code: 'missing',
    })
  })

  it('refuse an entry that is none', async () => {
    const audit = createAuditLog({ store: createMemoryAuditStore(), keys })
    const bad = { ...events[0], timestamp: 'now' }
    await expect(recordAudit.run(bad, { audit })).rejects.toMatchObject({ name: 'DataValidationError' })
  })
})

function withoutEventType({ eventType: _, ...event }: (typeof events)[number]): object {
  return event
}
