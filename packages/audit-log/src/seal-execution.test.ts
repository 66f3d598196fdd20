import { describe, expect, it } from 'vitest'
import { createAuditLog } from './audit-log.ts'
import { createMemoryAuditStore } from './memory-audit-store.ts'
import { keys, success } from './test/audit-trail.ts'

describe('sealExecution', () => {
  it('seals nothing as long as an item has no entry, and names the first', async () => {
    const store = createMemoryAuditStore()
    const log = createAuditLog({ store, keys })
    await log.appendAll([0, 1, 2, 4, 4, 5, 9].map(item => success(item)))
    const missing = (itemIndex: number): object => ({
      name: 'AuditVerificationError',
      code: 'missing',
      message: `item ${itemIndex} has no entry`,
      details: { problem: { itemIndex } },
    })
    await expect(log.seal('run', { items: { first: 1, count: 5 } })).rejects.toMatchObject(missing(3))
    await log.append(success(3))
    await expect(log.seal('run', { items: { first: 1, count: 8 } })).rejects.toMatchObject(missing(6))
    await expect(log.seal('run', { items: { first: 8, count: 1 } })).rejects.toMatchObject(missing(8))
    await expect(log.seal('run', { items: { first: 9, count: 2 } })).rejects.toMatchObject(missing(10))
    expect(await store.readSeal('run')).toBeUndefined()
    expect(await log.seal('run', { items: { first: 1, count: 5 } })).toMatchObject({ entries: 7 })
  })
})
