import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAuditLog } from '../audit-log.ts'
import { createMemoryAuditStore } from '../memory-audit-store.ts'
import { all, keys, success } from '../test/audit-trail.ts'
import { createDistinctEntries } from './distinct-entries.ts'
import { compareEntries } from './packed-entry.ts'

const entry = fc.record({ itemIndex: fc.nat(30), attempt: fc.integer({ min: 1, max: 3 }) })
const block = fc
  .uniqueArray(entry, {
    minLength: 1,
    maxLength: 20,
    selector: ({ itemIndex, attempt }) => `${itemIndex}#${attempt}`,
  })
  .map(entries => entries.toSorted(compareEntries))
const blocks = fc
  .array(block, { maxLength: 8 })
  .map(all => all.toSorted((a, b) => (a[0]?.itemIndex ?? 0) - (b[0]?.itemIndex ?? 0)))

describe('createDistinctEntries', () => {
  it('counts each entry once, also when it goes on from what it said', () => {
    fc.assert(
      fc.property(blocks, all => {
        const names = new Set(all.flat().map(({ itemIndex, attempt }) => `${itemIndex}#${attempt}`))
        const whole = createDistinctEntries()
        expect(all.reduce((sum, one) => sum + whole.add(one), 0)).toBe(names.size)
        let known = createDistinctEntries().toJSON()
        let count = 0
        for (const one of all) {
          const resumed = createDistinctEntries(known)
          count += resumed.add(one)
          known = resumed.toJSON()
        }
        expect(count).toBe(names.size)
      }),
    )
  })

  it('forgets what cannot come again', () => {
    const distinct = createDistinctEntries()
    for (let at = 0; at < 10; at += 1) {
      distinct.add(Array.from({ length: 100 }, (_, n) => ({ itemIndex: at * 100 + n, attempt: 1 })))
    }
    expect(distinct.toJSON()).toEqual([[1, 900, 999]])
  })
})

describe('verify().entries', () => {
  it('is the number of entries that an auditor reads, also of those that two writers stored', async () => {
    const store = createMemoryAuditStore()
    const items = Array.from({ length: 50 }, (_, item) => success(item))
    await createAuditLog({ store, keys, blockSize: 7 }).appendAll(items)
    await createAuditLog({ store, keys, blockSize: 4 }).appendAll(items.slice(10, 40))
    const log = createAuditLog({ store, keys })
    await log.append(success(20, { attempt: 2 }))
    await log.seal('run')
    const read = await all(log.entries({ executionId: 'run' }))
    expect(await log.verify('run')).toMatchObject({ ok: true, entries: read.length })
    let checkpoint: string | undefined
    await log.verify('run', {
      checkpointBlocks: 3,
      onCheckpoint: text => {
        checkpoint ??= text
      },
    })
    expect(await log.verify('run', { checkpoint })).toMatchObject({ ok: true, entries: read.length })
  })
})
