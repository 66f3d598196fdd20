import { ThrottlingException } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import type { AuditStore } from './audit-store.ts'
import { createMemoryAuditStore } from './memory-audit-store.ts'
import { createRedactor } from './redact.ts'
import { all, createSingleLog, createSnapshotStore, keys, success, takeSnapshot } from './test/audit-trail.ts'

describe('an audit log whose entries are items of their own', () => {
  it('commits what arrives together in blocks', async () => {
    const store = createMemoryAuditStore()
    const log = createSingleLog({ store, keys, blockSize: 10, newWriter: () => 'w' })
    await Promise.all(Array.from({ length: 25 }, (_, item) => log.append(success(item))))
    const { blocks } = await takeSnapshot(store, 'run')
    expect(blocks.map(({ number, first, entryKeys }) => [number, first, entryKeys.length])).toEqual([
      [0, 0, 10],
      [1, 10, 10],
      [2, 20, 5],
    ])
    expect(blocks.map(block => block.previous)).toEqual(['', blocks[0]?.mac, blocks[1]?.mac])
  })

  it('reads an entry that was appended twice once, and the first of two that differ', async () => {
    const store = createMemoryAuditStore()
    for (const processResult of [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ]) {
      await createSingleLog({ store, keys }).append(success(0, { processResult }))
    }
    expect((await takeSnapshot(store, 'run')).entries).toHaveLength(1)
    const later = success(0, { timestamp: '2024-08-02T12:34:57Z', processResult: 'again' })
    await createSingleLog({ store, keys }).append(later)
    await createSingleLog({ store, keys }).append(success(0, { attempt: 2 }))
    const log = createSingleLog({ store, keys })
    const read = await all(log.entries({ executionId: 'run' }))
    expect(read.map(entry => [entry.attempt, entry.processResult])).toEqual([
      [1, { a: 1, b: 2 }],
      [2, { updated: 1 }],
    ])
    await log.seal('run')
    expect(await log.verify('run')).toEqual({ ok: true, entries: 4, writers: 4, late: 0 })
  })

  it('stamps an entry without a time, and sets its expiry', async () => {
    const store = createMemoryAuditStore()
    const now = (): number => Date.parse('2025-01-01T00:00:00.500Z')
    const log = createSingleLog({ store, keys, now, ttlSeconds: 3600 })
    await log.append({ executionId: 'run', itemIndex: 0, logType: 'SUCCESS' })
    const { entries, blocks } = await takeSnapshot(store, 'run')
    const expiresAt = Date.parse('2025-01-01T01:00:00Z') / 1000
    expect(entries).toMatchObject([
      { body: expect.stringContaining('"2025-01-01T00:00:00.500Z"'), expiresAt },
    ])
    expect(blocks).toMatchObject([{ expiresAt }])
    expect(await log.seal('run')).toMatchObject({ expiresAt })
  })

  it('stores no secrets', async () => {
    const store = createMemoryAuditStore()
    const redact = createRedactor({ paths: ['userRecord.email', 'error.**.token'] })
    const log = createSingleLog({ store, keys, redact })
    await log.append(
      success(0, { userRecord: { id: 1, email: 'a@b.c' }, error: { details: [{ token: 'secret' }] } }),
    )
    const { entries } = await takeSnapshot(store, 'run')
    expect(entries[0]?.body).not.toMatch(/a@b|secret/)
    expect(await all(log.entries({ executionId: 'run' }))).toMatchObject([
      { userRecord: { id: 1, email: '[redacted]' }, error: { details: [{ token: '[redacted]' }] } },
    ])
  })

  it('stores nothing that a redactor of another make leaves out', async () => {
    const store = createMemoryAuditStore()
    await createSingleLog({ store, keys, redact: () => ({ processResult: 1 }) }).append(success(0))
    await createSingleLog({ store, keys, redact: () => '[redacted]' }).append(success(1))
    const bodies = (await takeSnapshot(store, 'run')).entries.map(entry => JSON.parse(entry.body))
    const rest = { attempt: 1, keyId: 'k1', timestamp: '2024-08-02T12:34:56.789Z' }
    expect(bodies).toEqual([
      { ...rest, itemIndex: 0, processResult: 1 },
      { ...rest, itemIndex: 1 },
    ])
  })

  it('does not read on past an entry that is no longer one', async () => {
    const store = createMemoryAuditStore()
    await createSingleLog({ store, keys }).append(success(3))
    const snapshot = await takeSnapshot(store, 'run')
    const tampered = snapshot.entries.map(entry => ({ ...entry, body: 'not JSON' }))
    const log = createSingleLog({ store: createSnapshotStore({ ...snapshot, entries: tampered }), keys })
    await expect(all(log.entries({ executionId: 'run' }))).rejects.toMatchObject({
      name: 'AuditVerificationError',
      details: { problem: { kind: 'changed', itemIndex: 3 } },
    })
  })

  it('goes on after a failure, and tells only those it concerns', async () => {
    const memory = createMemoryAuditStore()
    let down = true
    const store: AuditStore = {
      ...memory,
      async putEntries(entries) {
        if (down) throw new ThrottlingException('busy')
        await memory.putEntries(entries)
      },
    }
    const log = createSingleLog({ store, keys })
    await expect(log.append(success(0))).rejects.toThrow('busy')
    down = false
    await log.append(success(1))
    await log.seal('run')
    expect(await log.verify('run')).toMatchObject({ ok: true, entries: 1 })
  })

  it('goes on after a block whose answer was lost', async () => {
    const memory = createMemoryAuditStore()
    let losses = 1
    const store: AuditStore = {
      ...memory,
      async putBlock(block) {
        const stored = await memory.putBlock(block)
        if (losses-- > 0) throw new ThrottlingException('answer lost')
        return stored
      },
    }
    const log = createSingleLog({ store, keys })
    await expect(log.append(success(0))).rejects.toThrow('answer lost')
    await log.append(success(0))
    losses = 1
    await expect(log.append(success(1))).rejects.toThrow('answer lost')
    await log.append(success(2))
    await log.append(success(1))
    expect(await all(log.entries({ executionId: 'run' }))).toHaveLength(3)
    // The first came back as it was and is one block; the second found its block taken by itself.
    expect(await log.seal('run')).toMatchObject({ entries: 4, chains: [{ blocks: 4 }] })
    expect(await log.verify('run')).toMatchObject({ ok: true, writers: 1 })
  })

  it('does not build on a block that is not genuine', async () => {
    const memory = createMemoryAuditStore()
    const store: AuditStore = {
      ...memory,
      putBlock: async block => ({ ...(await memory.putBlock(block)), mac: 'forged' }),
    }
    await expect(createSingleLog({ store, keys }).append(success(0))).rejects.toMatchObject({
      name: 'AuditVerificationError',
    })
  })
})
