import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAuditLog } from '../audit-log.ts'
import { createMemoryAuditStore } from '../memory-audit-store.ts'
import { keys, success } from '../test/audit-trail.ts'
import { readPresentItems } from './present-items.ts'

describe('readPresentItems', () => {
  it('tells the first item that has no entry, from any item on', async () => {
    const items = fc.uniqueArray(fc.nat(40))
    await fc.assert(
      fc.asyncProperty(fc.array(items, { maxLength: 6 }), fc.nat(40), async (packs, from) => {
        const store = createMemoryAuditStore()
        const log = createAuditLog({ store, keys })
        for (const pack of packs) await log.appendAll(pack.map(item => success(item)))
        const stored = new Set(packs.flat())
        await using present = readPresentItems(store, 'run', from)
        for (let item = from; item < 45; item += 1) {
          let expected = item
          while (stored.has(expected)) expected += 1
          expect(await present.firstMissing(item)).toBe(expected)
        }
      }),
      { numRuns: 50 },
    )
  })
})
