import { createHash } from 'node:crypto'
import { type TestRunner, testRunner } from '@stepwright/task/testing'
import type { LogType } from './audit-entry.ts'
import type { AuditStore, PackQuery, SealStore } from './audit-store.ts'
import { type PackRecord, toHead } from './pack/pack-record.ts'
import type { SealRecord } from './records.ts'

export { findTrailProblems } from './trail-problems.ts'

/** The promises of an `AuditStore`. `create` gives an empty store. */
export function testAuditStore(
  name: string,
  create: () => Promise<AuditStore>,
  runner: TestRunner = testRunner,
): void {
  const { beforeEach, describe, expect, it } = runner
  testSealStore(name, create, runner)
  describe(`${name} keeps the promises of an AuditStore`, () => {
    let store: AuditStore
    beforeEach(async () => {
      store = await create()
    })

    it('adds a block that holds its entries once, and keeps it as it is', async () => {
      const first = pack(7)
      expect(await store.putPack(first)).toEqual(toHead(first))
      expect(await store.putPack({ ...first, mac: 'other' })).toEqual(toHead(first))
      expect(await all(store.readPacks({ executionId: 'run-1' }))).toEqual([first])
      const { expiresAt: _, ...forEver } = pack(8)
      await store.putPack(forEver)
      expect(await all(store.readPackHeads({ executionId: 'run-1' }))).toEqual([first, forEver].map(toHead))
      expect(await all(store.readPacks({ executionId: 'run-2' }))).toEqual([])
    })

    it('lets one of many simultaneous blocks that hold their entries win', async () => {
      const stored = await Promise.all(
        Array.from({ length: 8 }, (_, n) => store.putPack({ ...pack(0), mac: `mac-${n}` })),
      )
      expect(new Set(stored.map(one => one.mac)).size).toBe(1)
    })

    it('reads blocks that hold their entries in the order of their keys, however many and large', async () => {
      const body = new Uint8Array(130_000).fill(7)
      const packs = Array.from({ length: 30 }, (_, n) => ({ ...pack(n * 10), body }))
      await Promise.all(packs.toReversed().map(one => store.putPack(one)))
      await store.putPack({ ...pack(3), executionId: 'run-2' })
      const heads = async (query: Omit<PackQuery, 'executionId'>): Promise<readonly string[]> =>
        (await all(store.readPackHeads({ executionId: 'run-1', ...query }))).map(({ packKey }) => packKey)
      const keys = packs.map(({ packKey }) => packKey)
      expect((await all(store.readPacks({ executionId: 'run-1' }))).map(({ packKey }) => packKey)).toEqual(
        keys,
      )
      expect(await heads({})).toEqual(keys)
      expect(await heads({ after: keys[21] })).toEqual(keys.slice(22))
      expect(await heads({ after: keys[29] })).toEqual([])
      // Each has its item and the one after it.
      expect(await heads({ fromItem: 271 })).toEqual(keys.slice(27))
      expect(await heads({ fromItem: 272 })).toEqual(keys.slice(28))
      expect(await heads({ itemIndex: 101 })).toEqual([keys[10]])
      expect(await heads({ itemIndex: 102 })).toEqual([])
    })

    it('finds blocks that hold their entries by type', async () => {
      await store.putPack(pack(1))
      await store.putPack({ ...pack(3), index: 'SUCCESS 3;SYSTEM_ERROR 4' })
      const items = async (logType: LogType): Promise<readonly number[]> =>
        (await all(store.readPacks({ executionId: 'run-1', logType }))).map(({ lastItem }) => lastItem)
      expect(await items('SUCCESS')).toEqual([2, 4])
      expect(await items('SYSTEM_ERROR')).toEqual([4])
      expect(await items('BUSINESS_ERROR')).toEqual([])
    })
  })
}

/** The promises of a `SealStore`, which every `AuditStore` is. `create` gives an empty store. */
export function testSealStore(
  name: string,
  create: () => Promise<SealStore>,
  runner: TestRunner = testRunner,
): void {
  const { describe, expect, it } = runner
  describe(`${name} keeps the promises of a SealStore`, () => {
    it('adds a seal once', async () => {
      const store = await create()
      expect(await store.readSeal('run-1')).toBeUndefined()
      const first = seal()
      expect(await store.putSeal(first)).toEqual(first)
      expect(await store.putSeal({ ...first, mac: 'other' })).toEqual(first)
      expect(await store.readSeal('run-1')).toEqual(first)
      expect(await store.readSeal('run-2')).toBeUndefined()
      const { expiresAt: _, ...forEver } = { ...first, executionId: 'a/b ../目標' }
      expect(await store.putSeal(forEver)).toEqual(forEver)
      expect(await store.readSeal('a/b ../目標')).toEqual(forEver)
    })

    it('keeps a seal for each generation', async () => {
      const store = await create()
      const first = seal()
      const second = { ...first, generation: 2, previous: first.mac, mac: 'second' }
      await store.putSeal(first)
      expect(await store.readSeal('run-1', 2)).toBeUndefined()
      expect(await store.putSeal(second)).toEqual(second)
      expect(await store.putSeal({ ...second, mac: 'other' })).toEqual(second)
      expect(await store.readSeal('run-1')).toEqual(first)
      expect(await store.readSeal('run-1', 2)).toEqual(second)
      expect(await store.readSeal('run-1/2')).toBeUndefined()
      expect(await store.readSeal('run-1#2')).toBeUndefined()
    })

    it('lets one of many simultaneous seals win', async () => {
      const store = await create()
      const stored = await Promise.all(
        Array.from({ length: 8 }, (_, n) => store.putSeal({ ...seal(), mac: `mac-${n}` })),
      )
      expect(new Set(stored.map(one => one.mac)).size).toBe(1)
    })
  })
}

async function all<T>(records: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const record of records) found.push(record)
  return found
}

function pack(item: number): PackRecord {
  const mac = createHash('md5').update(`${item}`).digest('base64url')
  return {
    executionId: 'run-1',
    packKey: `${String(item).padStart(12, '0')}#${mac}`,
    writer: 'a',
    number: item,
    first: item * 2,
    count: 2,
    index: `SUCCESS ${item}-${item + 1}`,
    lastItem: item + 1,
    previous: '',
    keyId: 'k1',
    expiresAt: 1_800_000_000,
    mac: `mac-${item}`,
    tags: new Uint8Array([0, 255, item % 256]),
    body: new Uint8Array([31, 139, item % 256]),
  }
}

function seal(): SealRecord {
  return {
    executionId: 'run-1',
    chains: [{ writer: 'a', blocks: 1, entries: 2, head: 'mac-0' }],
    entries: 2,
    sealedAt: '2024-08-02T12:34:56.000Z',
    keyId: 'k1',
    expiresAt: 1_800_000_000,
    mac: 'mac',
  }
}
