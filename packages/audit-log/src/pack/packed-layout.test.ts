import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { ThrottlingException } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import { createAuditLog } from '../audit-log.ts'
import type { AuditStore } from '../audit-store.ts'
import { createMemoryAuditStore } from '../memory-audit-store.ts'
import { createRedactor } from '../redact.ts'
import { all, keys, success, takeSnapshot } from '../test/audit-trail.ts'

/** A store whose answers to `putPack` are lost as often as is asked for; what it was asked to do is done. */
function createLossyStore() {
  const memory = createMemoryAuditStore()
  const lossy = { losses: 0, puts: 0, isDone: true }
  const store: AuditStore = {
    ...memory,
    async putPack(pack) {
      lossy.puts += 1
      const isLost = lossy.losses > 0
      if (isLost) lossy.losses -= 1
      const stored = isLost && !lossy.isDone ? pack : await memory.putPack(pack)
      if (isLost) throw new ThrottlingException('answer lost')
      return stored
    },
  }
  return { memory, store, lossy }
}

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, n) => first + n)
}

describe('an audit log that packs many entries into one item', () => {
  it('stores what is appended together as one block, with the items it holds', async () => {
    const store = createMemoryAuditStore()
    const log = createAuditLog({ store, keys, newWriter: () => 'w' })
    await log.appendAll(
      range(1, 600).map(item => success(item, item % 200 === 0 ? { logType: 'BUSINESS_ERROR' } : {})),
    )
    await Promise.all([900, 902, 901].map(item => log.append(success(item))))
    const { packs } = await takeSnapshot(store, 'run')
    expect(packs).toMatchObject([
      {
        ...{ writer: 'w', number: 0, first: 0, count: 600, previous: '' },
        ...{ index: 'SUCCESS 1-199,201-399,401-599;BUSINESS_ERROR 200,400,600', lastItem: 600 },
      },
      {
        ...{ writer: 'w', number: 1, first: 600, count: 3, previous: packs[0]?.mac },
        ...{ index: 'SUCCESS 900-902', lastItem: 902 },
      },
    ])
    const [line] = gunzipSync(packs[0]?.body ?? '')
      .toString()
      .split('\n')
    expect(line).toBe(
      '[1,1,"SUCCESS","2024-08-02T12:34:56.789Z",{"processResult":{"updated":1},"userRecord":{"ユーザーID":"U00001"}}]',
    )
  })

  it('cuts at blockSize, and at the size of the text', async () => {
    const store = createMemoryAuditStore()
    await createAuditLog({ store, keys, blockSize: 4 }).appendAll(range(0, 10).map(item => success(item)))
    const large = range(20, 6).map(item => success(item, { processResult: 'x'.repeat(300_000) }))
    await createAuditLog({ store, keys }).appendAll(large)
    await Promise.all(large.map(entry => createAuditLog({ store, keys }).append({ ...entry, attempt: 2 })))
    const together = createAuditLog({ store, keys })
    await Promise.all(large.map(entry => together.append({ ...entry, attempt: 3 })))
    const counts = (await takeSnapshot(store, 'run')).packs.map(({ count }) => count)
    expect(counts.slice(0, 3)).toEqual([4, 4, 2])
    expect(counts.slice(3).toSorted()).toEqual([1, 1, 1, 1, 1, 1, 3, 3, 3, 3])
    expect(await together.seal('run')).toMatchObject({ entries: 28 })
    expect(await together.verify('run')).toMatchObject({ ok: true, entries: 28 })
  })

  it('puts no item over the 400 KB of DynamoDB, however little can be compressed', async () => {
    const store = createMemoryAuditStore()
    const noise = (bytes: number): string => randomBytes(bytes).toString('base64')
    // Together just under, just over, and one by one as large as an entry may be.
    for (const [attempt, bytes] of [130_000, 134_500, 500_000].entries()) {
      const entries = range(0, 3).map(item => success(item, { attempt: attempt + 1, error: noise(bytes) }))
      await createAuditLog({ store, keys }).appendAll(entries)
    }
    const { packs } = await takeSnapshot(store, 'run')
    for (const { body, tags } of packs) expect(body.byteLength + tags.byteLength).toBeLessThan(400_000)
    expect(packs.map(({ count }) => count).toSorted()).toEqual([1, 2, 3, 3])
    const log = createAuditLog({ store, keys })
    expect(await all(log.entries({ executionId: 'run', itemIndex: 1 }))).toHaveLength(3)
  })

  it('counts a block once whose answer was lost, appended again by the same writer', async () => {
    for (const isDone of [true, false]) {
      const { memory, store, lossy } = createLossyStore()
      const log = createAuditLog({ store, keys })
      const entries = range(0, 50).map(item => success(item))
      Object.assign(lossy, { losses: 1, isDone })
      await expect(log.appendAll(entries)).rejects.toThrow('answer lost')
      expect(await log.appendAll(entries)).toBe(50)
      // One by one, they come together differently the second time.
      Object.assign(lossy, { losses: 1, isDone })
      const late = range(50, 3).map(item => success(item))
      await expect(Promise.all(late.map(log.append))).rejects.toThrow('answer lost')
      for (const entry of late) await log.append(entry)
      expect((await takeSnapshot(memory, 'run')).packs.map(({ number, count }) => [number, count])).toEqual([
        [0, 50],
        [1, 3],
      ])
      expect(await log.seal('run', { items: { first: 0, count: 53 } })).toMatchObject({ entries: 53 })
      expect(await log.verify('run')).toEqual({ ok: true, entries: 53, writers: 1, late: 0 })
    }
  })

  it('counts a block once that the successor of a killed writer appends again', async () => {
    const { memory, store, lossy } = createLossyStore()
    const entries = range(0, 25).map(item => success(item))
    const options = { keys, blockSize: 10 }
    Object.assign(lossy, { losses: 0 })
    const killed = createAuditLog({ store, ...options })
    await killed.appendAll(entries.slice(0, 20))
    expect(await createAuditLog({ store: memory, ...options }).appendAll(entries)).toBe(25)
    const log = createAuditLog({ store: memory, ...options })
    expect(await log.seal('run')).toMatchObject({ entries: 25, chains: [{}, {}] })
    expect(await log.verify('run')).toEqual({ ok: true, entries: 25, writers: 2, late: 0 })
  })

  it('lets two writers append the same at once, and keeps it once', async () => {
    const store = createMemoryAuditStore()
    const entries = range(0, 300).map(item => success(item))
    const options = { store, keys, blockSize: 50 }
    await Promise.all(range(0, 2).map(() => createAuditLog(options).appendAll(entries)))
    const log = createAuditLog(options)
    expect(await log.seal('run', { items: { first: 0, count: 300 } })).toMatchObject({ entries: 300 })
    expect(await log.verify('run')).toMatchObject({ ok: true, entries: 300, late: 0 })
  })

  it('goes on after a failure, and stores nothing in the place of what may be stored', async () => {
    const { memory, store, lossy } = createLossyStore()
    const log = createAuditLog({ store, keys })
    lossy.losses = 2
    await expect(log.append(success(0))).rejects.toThrow('answer lost')
    await expect(log.append(success(1))).rejects.toThrow('answer lost')
    await log.append(success(2))
    expect((await takeSnapshot(memory, 'run')).packs.map(({ number }) => number)).toEqual([0, 1])
    expect(await log.seal('run')).toMatchObject({ entries: 2 })
    expect(await log.verify('run')).toMatchObject({ ok: true })
  })

  it('does not take a block for its own that is not genuine', async () => {
    const memory = createMemoryAuditStore()
    const store: AuditStore = {
      ...memory,
      putPack: async pack => ({ ...(await memory.putPack(pack)), mac: 'forged' }),
    }
    await expect(createAuditLog({ store, keys }).append(success(0))).rejects.toMatchObject({
      name: 'AuditVerificationError',
    })
  })

  it('reads the entries of many writers as one', async () => {
    const store = createMemoryAuditStore()
    await createAuditLog({ store, keys }).appendAll([3, 4, 10].map(item => success(item)))
    await createAuditLog({ store, keys }).appendAll([0, 4, 9].map(item => success(item)))
    await createAuditLog({ store, keys }).appendAll(
      [1, 5, 2].map(item => success(item, { logType: 'SYSTEM_ERROR', timestamp: '2024-08-02T12:00:00Z' })),
    )
    await createAuditLog({ store, keys }).append(success(5))
    const log = createAuditLog({ store, keys })
    const items = async (query: object): Promise<number[]> =>
      (await all(log.entries({ executionId: 'run', ...query }))).map(({ itemIndex }) => itemIndex)
    expect(await items({})).toEqual([0, 1, 2, 3, 4, 5, 9, 10])
    expect(await items({ itemIndex: 4 })).toEqual([4])
    expect(await items({ logType: 'SYSTEM_ERROR' })).toEqual([1, 2, 5])
    expect(await items({ logType: 'SUCCESS', itemIndex: 2 })).toEqual([])
    const [five] = await all(log.entries({ executionId: 'run', itemIndex: 5 }))
    expect(five).toMatchObject({ logType: 'SYSTEM_ERROR' })

    await expect(log.seal('run', { items: { first: 0, count: 11 } })).rejects.toThrow('item 6 has no entry')
    await expect(log.seal('run', { items: { first: 9, count: 3 } })).rejects.toThrow('item 11 has no entry')
    expect(await log.appendMissing(range(0, 12).map(item => success(item)))).toBe(4)
    const { chains } = await log.seal('run', { items: { first: 0, count: 12 } })
    expect(chains).toHaveLength(5)
    expect(await log.verify('run')).toEqual({ ok: true, entries: 12, writers: 5, late: 0 })
  })

  it('is kept until the last of its entries expires', async () => {
    const store = createMemoryAuditStore()
    const log = createAuditLog({ store, keys, ttlSeconds: 60, now: () => Date.parse('2024-08-02T00:00:00Z') })
    const times = ['2024-08-02T12:00:00Z', '2024-08-02T12:30:00Z', '2024-08-02T12:10:00Z']
    await log.appendAll(times.map((timestamp, item) => success(item, { timestamp })))
    const expiresAt = Date.parse('2024-08-02T12:31:00Z') / 1000
    expect((await takeSnapshot(store, 'run')).packs).toMatchObject([{ expiresAt }])
    expect(await log.seal('run')).toMatchObject({ expiresAt })
  })

  it('stores no secrets', async () => {
    const store = createMemoryAuditStore()
    const redact = createRedactor({ paths: ['userRecord.email', 'error.**.token'] })
    const log = createAuditLog({ store, keys, redact })
    await log.append(
      success(0, { userRecord: { id: 1, email: 'a@b.c' }, error: { details: [{ token: 'secret' }] } }),
    )
    const { packs } = await takeSnapshot(store, 'run')
    expect(gunzipSync(packs[0]?.body ?? '').toString()).not.toMatch(/a@b|secret/)
    expect(await all(log.entries({ executionId: 'run' }))).toMatchObject([
      { userRecord: { id: 1, email: '[redacted]' }, error: { details: [{ token: '[redacted]' }] } },
    ])
  })
})
