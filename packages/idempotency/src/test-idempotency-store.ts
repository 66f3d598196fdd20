import { randomUUID } from 'node:crypto'
import { type TestRunner, testRunner } from '@stepwright/task/testing'
import type { Claim, IdempotencyStore, Outcome, StoredFailure } from './idempotency-store.ts'

export interface StoreUnderTest {
  readonly store: IdempotencyStore
  /** Moves the store's clock on. */
  advance(durationMs: number): void
  /** How much later than asked for the store lets locks and results expire: its `clockSkewMs`. @default 0 */
  readonly graceMs?: number
}

/** The contract of `IdempotencyStore`: every promise of the port, as tests. */
export function testIdempotencyStore(
  create: () => StoreUnderTest | Promise<StoreUnderTest>,
  runner: TestRunner = testRunner,
): void {
  const { beforeEach, describe, expect, it } = runner
  describe('keeps the promises of an idempotency store', () => {
    let subject: StoreUnderTest
    let store: IdempotencyStore
    let claim: Claim
    beforeEach(async () => {
      subject = await create()
      store = subject.store
      claim = claimOf(randomUUID())
    })
    /** Past the end of something that lasts so long; stores may count in whole seconds. */
    const outlive = (durationMs: number): void => subject.advance(durationMs + (subject.graceMs ?? 0) + 1_001)
    const rival = (): Claim => ({ ...claim, token: randomUUID() })

    it('gives the lock to the first and tells the second when it expires', async () => {
      expect(await store.acquire(claim)).toEqual({ state: 'acquired' })
      const expiresInMs = claim.lockMs + (subject.graceMs ?? 0)
      const held = { state: 'held', fingerprint: claim.fingerprint }
      expect(await store.acquire(rival())).toMatchObject(held)
      expect(await store.find(claim.key)).toMatchObject(held)
      subject.advance(10_000)
      const later = await store.acquire(rival())
      expect(later).toMatchObject(held)
      expect(later.state === 'held' && Math.abs(later.expiresInMs - expiresInMs + 10_000)).toBeLessThan(1_000)
    })

    it('gives the lock to one of many who ask at once', async () => {
      const answers = await Promise.all(Array.from({ length: 16 }, () => store.acquire(rival())))
      expect(answers.filter(({ state }) => state === 'acquired')).toHaveLength(1)
    })

    it('knows nothing of a key that nobody used', async () => {
      expect(await store.find(claim.key)).toBeUndefined()
    })

    it('gives the lock again to a claim that is repeated because its answer got lost', async () => {
      await store.acquire(claim)
      expect(await store.acquire(claim)).toEqual({ state: 'acquired' })
    })

    it('does not reopen a settled key for a claim that arrives late', async () => {
      await store.acquire(claim)
      await store.complete(claim, succeeded(1), ttlMs)
      expect(await store.acquire(claim)).toMatchObject({ state: 'settled', outcome: succeeded(1) })
    })

    it('keeps the lock for as long as asked, then gives it to another', async () => {
      await store.acquire(claim)
      subject.advance(claim.lockMs - 1_000)
      expect(await store.acquire(rival())).toMatchObject({ state: 'held' })
      outlive(1_000)
      expect(await store.find(claim.key)).toBeUndefined()
      expect(await store.acquire(rival())).toEqual({ state: 'acquired' })
    })

    it('keeps a lock that is longer than the results are kept', async () => {
      await store.acquire({ ...claim, lockMs: 600_000, ttlMs: 60_000 })
      subject.advance(599_000)
      expect(await store.acquire(rival())).toMatchObject({ state: 'held' })
    })

    it('gives the next owner a lock of its own length, however long the one before was to last', async () => {
      await store.acquire({ ...claim, lockMs: 600_000, ttlMs: 60_000 })
      await store.complete(claim, succeeded(1), 60_000)
      outlive(60_000)
      expect(await store.acquire({ ...rival(), lockMs: 1_000 })).toEqual({ state: 'acquired' })
      outlive(1_000)
      expect(await store.acquire(rival())).toEqual({ state: 'acquired' })
    })

    it('takes any duration', async () => {
      const span = { lockMs: 1_000 / 3, ttlMs: 2_000 / 3 }
      expect(await store.acquire({ ...claim, ...span })).toEqual({ state: 'acquired' })
      expect(await store.renew(claim, span)).toBe(true)
      expect(await store.complete(claim, succeeded(1), span.ttlMs)).toBe(true)
    })

    it('renews the lock', async () => {
      await store.acquire(claim)
      subject.advance(claim.lockMs - 1_000)
      expect(await store.renew(claim, { lockMs: 600_000, ttlMs: 60_000 })).toBe(true)
      subject.advance(599_000)
      expect(await store.acquire(rival())).toMatchObject({ state: 'held' })
      outlive(1_000)
      expect(await store.acquire(rival())).toEqual({ state: 'acquired' })
    })

    it('does not shorten the lock, whatever arrives late', async () => {
      await store.acquire({ ...claim, lockMs: 600_000 })
      expect(await store.renew(claim, { ...claim, lockMs: 1_000 })).toBe(true)
      expect(await store.acquire({ ...claim, lockMs: 1_000 })).toEqual({ state: 'acquired' })
      subject.advance(599_000)
      expect(await store.acquire(rival())).toMatchObject({ state: 'held' })
    })

    it('settles the key with its result until it expires', async () => {
      await store.acquire(claim)
      expect(await store.complete(claim, succeeded({ total: 3 }), ttlMs)).toBe(true)
      subject.advance(ttlMs - 1_000)
      const settled = { state: 'settled', outcome: succeeded({ total: 3 }), fingerprint: claim.fingerprint }
      expect(await store.acquire(rival())).toMatchObject(settled)
      expect(await store.find(claim.key)).toMatchObject(settled)
      outlive(1_000)
      expect(await store.find(claim.key)).toBeUndefined()
      expect(await store.acquire(rival())).toEqual({ state: 'acquired' })
      expect(await store.find(claim.key)).toMatchObject({ state: 'held' })
    })

    it('settles the key again when the answer got lost', async () => {
      await store.acquire(claim)
      await store.complete(claim, succeeded(1), ttlMs)
      expect(await store.complete(claim, succeeded(1), ttlMs)).toBe(true)
    })

    it('keeps any result that JSON can carry', async () => {
      for (const value of awkwardValues) {
        const fresh = claimOf(randomUUID())
        await store.acquire(fresh)
        expect(await store.complete(fresh, succeeded(value), ttlMs)).toBe(true)
        const kept = await store.find(fresh.key)
        expect(kept?.state === 'settled' && kept.outcome).toEqual(succeeded(value))
      }
    })

    it('keeps that a call returned nothing', async () => {
      await store.acquire(claim)
      await store.complete(claim, succeeded(undefined), ttlMs)
      const kept = await store.find(claim.key)
      expect(kept?.state === 'settled' && kept.outcome).toEqual({ ok: true })
    })

    it('keeps a failure', async () => {
      await store.acquire(claim)
      expect(await store.complete(claim, { ok: false, failure }, ttlMs)).toBe(true)
      expect(await store.acquire(rival())).toMatchObject({
        state: 'settled',
        outcome: { ok: false, failure },
      })
    })

    it('frees the key on release', async () => {
      await store.acquire(claim)
      expect(await store.release(claim)).toBe(true)
      expect(await store.acquire(rival())).toEqual({ state: 'acquired' })
    })

    it('does not release or renew what is settled', async () => {
      await store.acquire(claim)
      await store.complete(claim, succeeded(1), ttlMs)
      expect(await store.release(claim)).toBe(false)
      expect(await store.renew(claim, claim)).toBe(false)
      expect(await store.find(claim.key)).toMatchObject({ state: 'settled', outcome: succeeded(1) })
    })

    it('refuses everything to one that never had the lock', async () => {
      expect(await store.renew(claim, claim)).toBe(false)
      expect(await store.complete(claim, succeeded(1), ttlMs)).toBe(false)
      expect(await store.release(claim)).toBe(false)
      expect(await store.find(claim.key)).toBeUndefined()
    })

    it.each(['running', 'finished'])(
      'fences off an owner whose lock another took and is %s with',
      async is => {
        await store.acquire(claim)
        outlive(claim.lockMs)
        const heir = rival()
        await store.acquire(heir)
        if (is === 'finished') await store.complete(heir, succeeded('of the heir'), ttlMs)
        expect(await store.renew(claim, claim)).toBe(false)
        expect(await store.complete(claim, succeeded('too late'), ttlMs)).toBe(false)
        expect(await store.release(claim)).toBe(false)
        expect(await store.complete(heir, succeeded('of the heir'), ttlMs)).toBe(true)
        expect(await store.find(claim.key)).toMatchObject({ outcome: succeeded('of the heir') })
      },
    )

    it('needs no fingerprint', async () => {
      await store.acquire({ ...claim, fingerprint: undefined })
      const kept = await store.find(claim.key)
      expect(kept).toMatchObject({ state: 'held' })
      expect(kept?.fingerprint).toBeUndefined()
    })
  })
}

const ttlMs = 3_600_000
const failure: StoredFailure = {
  name: 'OutOfStock',
  message: 'none of BN-12 left',
  httpStatus: 409,
  code: 'NONE_LEFT',
  details: { sku: 'BN-12', left: 0 },
}
const awkwardValues: readonly unknown[] = [
  null,
  '',
  0,
  false,
  [],
  {},
  { '': 'an empty name' },
  1e300,
  -5e-324,
  [[[[]]]],
  'a\u0000b\ud83d\ude00',
  { 'a.b': { '#c': ':d' } },
  JSON.parse('{"__proto__":{"constructor":1}}'),
  ['half a pair \ud83d', { '\ude00': 1 }],
  JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`),
  'x'.repeat(200_000),
]

function claimOf(key: string): Claim {
  return { key, token: randomUUID(), lockMs: 30_000, ttlMs, fingerprint: 'f1' }
}

function succeeded(value: unknown): Outcome {
  return { ok: true, value }
}
