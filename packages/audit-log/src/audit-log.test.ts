import { ThrottlingException } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import { parseAuditKeys } from './audit-keys.ts'
import { createAuditLog } from './audit-log.ts'
import type { AuditStore } from './audit-store.ts'
import { createMemoryAuditStore } from './memory-audit-store.ts'
import { createRedactor } from './redact.ts'
import { all, createSnapshotStore, keys, success, takeSnapshot } from './test/audit-trail.ts'

describe('createAuditLog', () => {
  it('keeps what became of each item', async () => {
    const store = createMemoryAuditStore()
    const log = createAuditLog({ store, keys })
    await log.append(success(1, { logType: 'BUSINESS_ERROR', error: { Error: 'BusinessError' }, attempt: 2 }))
    await log.append(success(0))
    expect(await all(log.entries({ executionId: 'run' }))).toEqual([
      { ...success(0), attempt: 1 },
      { ...success(1), attempt: 2, logType: 'BUSINESS_ERROR', error: { Error: 'BusinessError' } },
    ])
    expect(await all(log.entries({ executionId: 'run', logType: 'BUSINESS_ERROR' }))).toHaveLength(1)
    expect(await all(log.entries({ executionId: 'run', itemIndex: 0 }))).toHaveLength(1)
  })

  it('commits what arrives together in blocks', async () => {
    const store = createMemoryAuditStore()
    const log = createAuditLog({ store, keys, blockSize: 10, newWriter: () => 'w' })
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
      await createAuditLog({ store, keys }).append(success(0, { processResult }))
    }
    expect((await takeSnapshot(store, 'run')).entries).toHaveLength(1)
    const later = success(0, { timestamp: '2024-08-02T12:34:57Z', processResult: 'again' })
    await createAuditLog({ store, keys }).append(later)
    await createAuditLog({ store, keys }).append(success(0, { attempt: 2 }))
    const log = createAuditLog({ store, keys })
    const read = await all(log.entries({ executionId: 'run' }))
    expect(read.map(entry => [entry.attempt, entry.processResult])).toEqual([
      [1, { a: 1, b: 2 }],
      [2, { updated: 1 }],
    ])
    await log.seal('run')
    expect(await log.verify('run')).toEqual({ ok: true, entries: 4, writers: 4, late: 0 })
  })

  it('takes the earlier of two entries that differ, whichever was appended first', async () => {
    const log = createAuditLog({ store: createMemoryAuditStore(), keys })
    const [early, late] = ['2024-08-02T12:00:00Z', '2024-08-02T12:00:01Z']
    for (let item = 0; item < 20; item += 1) {
      const order = item % 2 === 0 ? [early, late] : [late, early]
      for (const timestamp of order) await log.append(success(item, { timestamp }))
    }
    const times = (await all(log.entries({ executionId: 'run' }))).map(entry => entry.timestamp)
    expect(times).toEqual(Array(20).fill('2024-08-02T12:00:00.000Z'))
  })

  it('stamps an entry without a time, and sets its expiry', async () => {
    const store = createMemoryAuditStore()
    const now = (): number => Date.parse('2025-01-01T00:00:00.500Z')
    const log = createAuditLog({ store, keys, now, ttlSeconds: 3600 })
    await log.append({ executionId: 'run', itemIndex: 0, logType: 'SUCCESS' })
    const { entries, blocks } = await takeSnapshot(store, 'run')
    const expiresAt = Date.parse('2025-01-01T01:00:00Z') / 1000
    expect(entries).toMatchObject([
      { body: expect.stringContaining('"2025-01-01T00:00:00.500Z"'), expiresAt },
    ])
    expect(blocks).toMatchObject([{ expiresAt }])
    expect(await log.seal('run')).toMatchObject({ expiresAt })
  })

  it('says that a trail whose retention has ended cannot be verified', async () => {
    let time = Date.parse('2025-01-01T00:00:00Z')
    const log = createAuditLog({
      store: createMemoryAuditStore(),
      keys,
      now: () => time,
      ttlSeconds: 3600,
    })
    await log.append({ executionId: 'run', itemIndex: 0, logType: 'SUCCESS' })
    await log.seal('run')
    expect(await log.verify('run')).toMatchObject({ ok: true })
    time += 3600_000
    expect(await log.verify('run')).toMatchObject({ ok: false, problem: { kind: 'expired' } })
  })

  it('stores no secrets', async () => {
    const store = createMemoryAuditStore()
    const redact = createRedactor({ paths: ['userRecord.email', 'error.**.token'] })
    const log = createAuditLog({ store, keys, redact })
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
    await createAuditLog({ store, keys, redact: () => ({ processResult: 1 }) }).append(success(0))
    await createAuditLog({ store, keys, redact: () => '[redacted]' }).append(success(1))
    const bodies = (await takeSnapshot(store, 'run')).entries.map(entry => JSON.parse(entry.body))
    const rest = { attempt: 1, keyId: 'k1', timestamp: '2024-08-02T12:34:56.789Z' }
    expect(bodies).toEqual([
      { ...rest, itemIndex: 0, processResult: 1 },
      { ...rest, itemIndex: 1 },
    ])
  })

  it('cuts what DynamoDB would not take', async () => {
    const log = createAuditLog({ store: createMemoryAuditStore(), keys })
    await log.append(success(0, { processResult: '表'.repeat(200_000) }))
    const [entry] = await all(log.entries({ executionId: 'run' }))
    expect(entry).toMatchObject({
      userRecord: { ユーザーID: 'U00000' },
      processResult: { $cut: { bytes: 600_002, start: expect.stringMatching(/^"表{999}$/) } },
    })
  })

  it('does not read on past an entry that is no longer one', async () => {
    const store = createMemoryAuditStore()
    await createAuditLog({ store, keys }).append(success(3))
    const snapshot = await takeSnapshot(store, 'run')
    const tampered = snapshot.entries.map(entry => ({ ...entry, body: 'not JSON' }))
    const log = createAuditLog({ store: createSnapshotStore({ ...snapshot, entries: tampered }), keys })
    await expect(all(log.entries({ executionId: 'run' }))).rejects.toMatchObject({
      name: 'AuditVerificationError',
      details: { problem: { kind: 'changed', itemIndex: 3 } },
    })
  })

  it('exports JSON Lines', async () => {
    const log = createAuditLog({ store: createMemoryAuditStore(), keys })
    await log.appendAll([success(0, { processResult: 'two\nlines' }), success(1)])
    const lines = (await all(log.exportLines({ executionId: 'run' }))).join('')
    expect(lines.endsWith('\n')).toBe(true)
    const parsed = lines
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(parsed).toEqual([
      { ...success(0), attempt: 1, processResult: 'two\nlines' },
      { ...success(1), attempt: 1 },
    ])
  })

  it.each([
    ['an empty execution', { executionId: '' }],
    ['a negative item', { itemIndex: -1 }],
    ['half an item', { itemIndex: 0.5 }],
    ['attempt 0', { attempt: 0 }],
    ['no time', { timestamp: 'yesterday' }],
    ['a BigInt', { userRecord: 1n }],
    ['an unknown type', { logType: 'OTHER' as 'SUCCESS' }],
  ])('refuses %s', async (_, given) => {
    const log = createAuditLog({ store: createMemoryAuditStore(), keys })
    await expect(log.append(success(0, given))).rejects.toMatchObject({ name: 'DataValidationError' })
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
    const log = createAuditLog({ store, keys })
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
    const log = createAuditLog({ store, keys })
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
    await expect(createAuditLog({ store, keys }).append(success(0))).rejects.toMatchObject({
      name: 'AuditVerificationError',
    })
  })

  it('verifies across a rotation of its key', async () => {
    const store = createMemoryAuditStore()
    const secret = (fill: number): string => Buffer.alloc(32, fill).toString('base64')
    const older = parseAuditKeys(`k1:${secret(1)}`)
    const newer = parseAuditKeys(`k2:${secret(2)},k1:${secret(1)}`)
    await createAuditLog({ store, keys: older }).append(success(0))
    const log = createAuditLog({ store, keys: newer })
    await log.append(success(1))
    await log.seal('run')
    expect(await log.verify('run')).toMatchObject({ ok: true, entries: 2 })
    const forgetful = createAuditLog({ store, keys: parseAuditKeys(`k2:${secret(2)}`) })
    expect(await forgetful.verify('run')).toMatchObject({ ok: false, problem: { kind: 'unknown-key' } })
    const wrong = createAuditLog({ store, keys: parseAuditKeys(`k2:${secret(2)},k1:${secret(3)}`) })
    expect(await wrong.verify('run')).toMatchObject({ ok: false, problem: { kind: 'changed' } })
  })

  it('seals once, and counts what comes later', async () => {
    const store = createMemoryAuditStore()
    const log = createAuditLog({ store, keys })
    await log.append(success(0))
    const seal = await log.seal('run')
    await log.append(success(1))
    await createAuditLog({ store, keys }).append(success(2))
    expect(await log.seal('run')).toEqual(seal)
    expect(await log.verify('run')).toEqual({ ok: true, entries: 3, writers: 2, late: 2 })
  })

  it('keeps executions apart, many at a time', async () => {
    const store = createMemoryAuditStore()
    const log = createAuditLog({ store, keys })
    const runs = Array.from({ length: 250 }, (_, n) => `run-${n}`)
    await log.appendAll(
      runs.flatMap(executionId => [success(0, { executionId }), success(1, { executionId })]),
    )
    for (const executionId of runs) {
      expect(await log.seal(executionId)).toMatchObject({ entries: 2 })
      expect(await log.verify(executionId)).toMatchObject({ ok: true, entries: 2 })
    }
  })

  it.each([
    { blockSize: 0 },
    { blockSize: 5001 },
    { blockSize: Number.NaN },
    { ttlSeconds: 0 },
    { ttlSeconds: 1.5 },
  ])('refuses the options %j', given => {
    const store = createMemoryAuditStore()
    expect(() => createAuditLog({ store, keys, ...given })).toThrow(/^(blockSize|ttlSeconds) must be a whole/)
  })

  it('stops at the first failure of many appends', async () => {
    const log = createAuditLog({ store: createMemoryAuditStore(), keys })
    let given = 0
    function* entries() {
      for (; given < 1e6; given += 1) yield success(given === 5 ? -1 : given)
    }
    await expect(log.appendAll(entries())).rejects.toMatchObject({ name: 'DataValidationError' })
    expect(given).toBeLessThan(1000)
  })
})
