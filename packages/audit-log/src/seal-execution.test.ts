import { describe, expect, it } from 'vitest'
import type { AuditStore } from './audit-store.ts'
import { findUncommitted } from './find-uncommitted.ts'
import { createMemoryAuditStore } from './memory-audit-store.ts'
import { createRedactor } from './redact.ts'
import { all, createSingleLog, createSnapshotStore, keys, success, takeSnapshot } from './test/audit-trail.ts'

/** A writer that dies when its entries are stored and their block is not. */
async function storeWithoutBlock(store: AuditStore, items: readonly number[]): Promise<void> {
  const dying = { ...store, putBlock: () => Promise.reject(new Error('killed')) }
  const log = createSingleLog({ store: dying, keys })
  await expect(log.appendAll(items.map(item => success(item)))).rejects.toThrow('killed')
}

describe('sealExecution', () => {
  it('commits what a writer left in no block, so that it cannot be deleted unseen', async () => {
    const store = createMemoryAuditStore()
    await storeWithoutBlock(store, [0, 1, 2])
    const log = createSingleLog({ store, keys, blockSize: 2 })
    await log.append(success(3))
    expect(await log.seal('run', { items: { first: 0, count: 4 } })).toMatchObject({ entries: 4 })
    expect(await log.verify('run')).toEqual({ ok: true, entries: 4, writers: 2, late: 0 })
    for (let item = 0; item < 4; item += 1) {
      const snapshot = await takeSnapshot(store, 'run')
      snapshot.entries.splice(item, 1)
      const tampered = createSingleLog({ store: createSnapshotStore(snapshot), keys })
      expect(await tampered.verify('run')).toMatchObject({
        ok: false,
        problem: { kind: 'missing', itemIndex: item },
      })
    }
  })

  it('seals nothing as long as an item has no entry, and names the first', async () => {
    const store = createMemoryAuditStore()
    const log = createSingleLog({ store, keys })
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

  it('finds an entry that was deleted before the seal, if it is told of its item', async () => {
    const store = createMemoryAuditStore()
    await storeWithoutBlock(store, [0, 1, 2])
    const snapshot = await takeSnapshot(store, 'run')
    snapshot.entries.splice(1, 1)
    const log = createSingleLog({ store: createSnapshotStore(snapshot), keys })
    await expect(log.seal('run', { items: { first: 0, count: 3 } })).rejects.toMatchObject({
      details: { problem: { kind: 'missing', itemIndex: 1 } },
    })
  })

  it('commits no forgery', async () => {
    const store = createMemoryAuditStore()
    await storeWithoutBlock(store, [0])
    const [entry] = (await takeSnapshot(store, 'run')).entries
    const forged = createMemoryAuditStore()
    await forged.putEntries([{ ...entry, body: entry?.body.replace('U00000', 'U00001') } as never])
    await expect(createSingleLog({ store: forged, keys }).seal('run')).rejects.toMatchObject({
      name: 'AuditVerificationError',
      code: 'changed',
    })
    expect(await forged.readSeal('run')).toBeUndefined()
  })

  it('keeps the expiry of what it commits, and shows nothing that was hidden', async () => {
    const store = createMemoryAuditStore()
    const options = { keys, ttlSeconds: 3600, redact: createRedactor({ paths: ['userRecord.email'] }) }
    const dying = { ...store, putBlock: () => Promise.reject(new Error('killed')) }
    const secret = success(0, { userRecord: { id: 1, email: 'ann@example.com' } })
    await expect(createSingleLog({ store: dying, ...options }).append(secret)).rejects.toThrow('killed')
    const expiresAt = Date.parse('2024-08-02T13:34:56Z') / 1000
    const log = createSingleLog({ store, ...options, now: () => expiresAt * 1000 - 1 })
    expect(await log.seal('run')).toMatchObject({ entries: 1, expiresAt })
    expect(await log.verify('run')).toMatchObject({ ok: true })
    const snapshot = await takeSnapshot(store, 'run')
    expect(snapshot.blocks).toMatchObject([{ expiresAt }])
    expect(JSON.stringify(snapshot)).not.toContain('ann@example.com')
  })

  it('commits nothing more when it is called again', async () => {
    const store = createMemoryAuditStore()
    const log = createSingleLog({ store, keys })
    await log.append(success(0))
    const seal = await log.seal('run')
    await storeWithoutBlock(store, [1])
    expect(await log.seal('run')).toEqual(seal)
    expect((await takeSnapshot(store, 'run')).blocks).toHaveLength(1)
  })
})

describe('findUncommitted', () => {
  it('finds the same whatever it may hold at a time', async () => {
    const store = createMemoryAuditStore()
    await storeWithoutBlock(store, [1, 4, 5])
    await createSingleLog({ store, keys, blockSize: 2 }).appendAll([0, 2, 3, 6].map(item => success(item)))
    for (const windowSize of [1, 2, 3, 7, 100]) {
      const found = await all(findUncommitted(store, 'run', store.readEntryKeys('run'), { windowSize }))
      expect(found.map(key => Number(key.slice(0, 12)))).toEqual([1, 4, 5])
    }
  })
})
