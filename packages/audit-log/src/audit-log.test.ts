import { describe, expect, it } from 'vitest'
import { parseAuditKeys } from './audit-keys.ts'
import { createAuditLog } from './audit-log.ts'
import { createMemoryAuditStore } from './memory-audit-store.ts'
import { all, keys, success } from './test/audit-trail.ts'

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

  it('cuts what DynamoDB would not take', async () => {
    const log = createAuditLog({ store: createMemoryAuditStore(), keys })
    await log.append(success(0, { processResult: '表'.repeat(200_000) }))
    const [entry] = await all(log.entries({ executionId: 'run' }))
    expect(entry).toMatchObject({
      userRecord: { ユーザーID: 'U00000' },
      processResult: { $cut: { bytes: 600_002, start: expect.stringMatching(/^"表{999}$/) } },
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
    ['a number as a time', { timestamp: '1' }],
    ['a time in words', { timestamp: 'Fri, 02 Aug 2024 12:34:56 GMT' }],
    ['a time that depends on where it is read', { timestamp: '2024-08-02T12:34:56' }],
    ['a day that is none', { timestamp: '2024-02-30T00:00:00Z' }],
    ['a BigInt', { userRecord: 1n }],
    ['an unknown type', { logType: 'OTHER' as 'SUCCESS' }],
  ])('refuses %s', async (_, given) => {
    const log = createAuditLog({ store: createMemoryAuditStore(), keys })
    await expect(log.append(success(0, given))).rejects.toMatchObject({ name: 'DataValidationError' })
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

  it('seals once: a repeated call gives the seal that there is', async () => {
    const store = createMemoryAuditStore()
    const log = createAuditLog({ store, keys })
    await log.append(success(0))
    const seal = await log.seal('run')
    expect(await log.seal('run')).toEqual(seal)
    expect(await log.seal('run', { reopen: true })).toEqual(seal)
    expect(await log.seal('run', { items: { first: 0, count: 1 } })).toEqual(seal)
    await expect(log.seal('run', { items: { first: 0, count: 2 } })).rejects.toThrow('item 1 has no entry')
  })

  it('accepts no seal that was made before the entries: neither when it seals nor when it verifies', async () => {
    const store = createMemoryAuditStore()
    const log = createAuditLog({ store, keys })
    await log.seal('run')
    await log.appendAll([0, 1, 2, 3, 4].map(item => success(item)))
    await expect(log.seal('run')).rejects.toMatchObject({ name: 'AuditVerificationError', code: 'early' })
    expect(await log.verify('run')).toMatchObject({ ok: false, problem: { kind: 'late', sequence: 0 } })
    expect(await log.verify('run', { allowLate: true })).toEqual({
      ok: true,
      entries: 5,
      writers: 1,
      late: 5,
    })
  })

  it('accepts no seal that was made without the key: sealing fails, instead of verifying for ever after', async () => {
    const store = createMemoryAuditStore()
    const log = createAuditLog({ store, keys })
    const forged = { executionId: 'run', chains: [], entries: 0, sealedAt: '2024-08-02T12:34:56.000Z' }
    await store.putSeal({ ...forged, keyId: 'k1', mac: 'AAAA' })
    await log.append(success(0))
    await expect(log.seal('run')).rejects.toMatchObject({ name: 'AuditVerificationError', code: 'changed' })
    await expect(log.seal('run', { reopen: true })).rejects.toMatchObject({ code: 'changed' })
    const other = createMemoryAuditStore()
    await other.putSeal({ ...forged, keyId: 'k9', mac: 'AAAA' })
    await expect(createAuditLog({ store: other, keys }).seal('run')).rejects.toMatchObject({
      code: 'unknown-key',
    })
  })

  it('seals a trail that went on once more: the new seal names the one before', async () => {
    const store = createMemoryAuditStore()
    const log = createAuditLog({ store, keys })
    await log.append(success(0))
    const first = await log.seal('run')
    await log.append(success(1))
    await createAuditLog({ store, keys }).append(success(2))
    const second = await log.seal('run', { reopen: true })
    expect(second).toMatchObject({ generation: 2, previous: first.mac, entries: 3 })
    expect(await log.seal('run', { reopen: true })).toEqual(second)
    expect(await log.seal('run')).toEqual(second)
    const whole = { ok: true, entries: 3, writers: 2, late: 0 }
    for (const mac of [undefined, first.mac, second.mac])
      expect(await log.verify('run', { mac })).toEqual(whole)
    expect(await log.verify('run', { mac: 'other' })).toMatchObject({
      ok: false,
      problem: { kind: 'changed' },
    })

    await log.append(success(3))
    const third = await log.seal('run', { reopen: true })
    expect(third).toMatchObject({ generation: 3, previous: second.mac })
    expect(await log.verify('run', { mac: first.mac })).toMatchObject({ ok: true, entries: 4 })
  })

  it('finds a later seal that was forged, moved from another trail, or deleted', async () => {
    const store = createMemoryAuditStore()
    const log = createAuditLog({ store, keys })
    for (const executionId of ['run', 'other']) {
      await log.append(success(0, { executionId }))
      await log.seal(executionId)
      await log.append(success(1, { executionId }))
    }
    const second = await log.seal('other', { reopen: true })
    // Of 'run' nothing but the first seal is there.
    expect(await log.verify('run')).toMatchObject({ ok: false, problem: { kind: 'late' } })
    await store.putSeal({ ...second, executionId: 'run' })
    expect(await log.verify('run')).toMatchObject({ ok: false, problem: { kind: 'changed', record: 'seal' } })
    await expect(log.seal('run', { reopen: true })).rejects.toMatchObject({ code: 'changed' })
  })

  it('lets many seal at the same time, with one seal as the result', async () => {
    const store = createMemoryAuditStore()
    const log = createAuditLog({ store, keys })
    await log.append(success(0))
    const seals = await Promise.all([1, 2, 3, 4].map(() => log.seal('run')))
    expect(new Set(seals.map(({ mac }) => mac)).size).toBe(1)
    await log.append(success(1))
    const later = await Promise.all([1, 2, 3, 4].map(() => log.seal('run', { reopen: true })))
    expect(new Set(later.map(({ mac }) => mac)).size).toBe(1)
    expect(await log.verify('run')).toMatchObject({ ok: true, entries: 2 })
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
    { blocksize: 100 },
    { blockSize: 5001 },
    { blockSize: Number.NaN },
    { ttlSeconds: 0 },
    { ttlSeconds: 1.5 },
  ])('refuses the options %j', given => {
    const store = createMemoryAuditStore()
    expect(() => createAuditLog({ store, keys, ...given })).toThrow(
      /^options of createAuditLog: (\w+) (must be a whole|does not exist)/,
    )
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
