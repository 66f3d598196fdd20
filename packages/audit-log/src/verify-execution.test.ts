import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAuditKeys } from './audit-keys.ts'
import { createMemoryAuditStore } from './memory-audit-store.ts'
import type { BlockRecord, EntryRecord } from './records.ts'
import { createSingleLog, keys, otherThan, type Snapshot, success } from './test/audit-trail.ts'
import { createSealedTrail, placeOf, trailBlocks, trailEntries } from './test/sealed-trail.ts'

const { verify } = await createSealedTrail('single')
const anyEntry = fc.nat(trailEntries - 1)
const anyBlock = fc.nat(trailBlocks - 1)

function change<T extends object>(records: T[], index: number, field: string): void {
  const record = records[index] as Record<string, unknown>
  records[index] = { ...record, [field]: otherThan(record[field]) } as T
}

describe('verifyExecution', () => {
  it('finds nothing wrong with what was written', async () => {
    expect(await verify(() => {})).toEqual({ ok: true, entries: trailEntries, writers: 3, late: 0 })
  })

  it('names any entry of which anything was changed', async () => {
    const field = fc.constantFrom<keyof EntryRecord>(
      'executionId',
      'logType',
      'body',
      'expiresAt',
      'failedExecutionId',
    )
    await fc.assert(
      fc.asyncProperty(anyEntry, field, async (index, name) => {
        expect(await verify(({ entries }) => change(entries, index, name))).toMatchObject({
          ok: false,
          problem: { kind: 'changed', record: 'entry', ...placeOf(index) },
        })
      }),
    )
  })

  it('finds any single character changed in a body', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyEntry,
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 1 }),
        async (index, at, char) => {
          const result = await verify(({ entries }) => {
            const entry = entries[index] as EntryRecord
            const place = at % entry.body.length
            const other = entry.body[place] === char ? '' : char
            entries[index] = {
              ...entry,
              body: entry.body.slice(0, place) + other + entry.body.slice(place + 1),
            }
          })
          // It may have been the name of the key.
          const kind = expect.stringMatching(/^(changed|unknown-key)$/)
          expect(result).toMatchObject({ ok: false, problem: { kind, itemIndex: index } })
        },
      ),
    )
  })

  it('names any entry that was dropped', async () => {
    await fc.assert(
      fc.asyncProperty(anyEntry, async index => {
        expect(await verify(({ entries }) => entries.splice(index, 1))).toMatchObject({
          ok: false,
          problem: { kind: 'missing', record: 'entry', ...placeOf(index) },
        })
      }),
    )
  })

  it('names the first of any two entries that were swapped', async () => {
    await fc.assert(
      fc.asyncProperty(anyEntry, anyEntry, async (one, other) => {
        fc.pre(one !== other)
        const result = await verify(({ entries }) => {
          const [a, b] = [entries[one] as EntryRecord, entries[other] as EntryRecord]
          entries[one] = { ...b, entryKey: a.entryKey }
          entries[other] = { ...a, entryKey: b.entryKey }
        })
        expect(result).toMatchObject({
          ok: false,
          problem: { kind: 'reordered', record: 'entry', itemIndex: Math.min(one, other) },
        })
      }),
    )
  })

  it('finds an entry that nobody wrote', async () => {
    const result = await verify(({ entries }) => {
      const [entry] = entries as [EntryRecord]
      entries.push({
        ...entry,
        body: entry.body.replace('"itemIndex":0', '"itemIndex":99'),
        entryKey: entry.entryKey.replace(/^0{12}/, '000000000099'),
      })
    })
    expect(result).toMatchObject({ ok: false, problem: { kind: 'changed', itemIndex: 99 } })
  })

  it('finds any end of a chain that was cut off, wherever', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('a', 'b', 'c'),
        fc.integer({ min: 0, max: 3 }),
        async (writer, kept) => {
          const result = await verify(trail => {
            const cut = trail.blocks.filter(block => block.writer === writer && block.number >= kept)
            const gone = new Set(cut.flatMap(block => block.entryKeys))
            trail.blocks = trail.blocks.filter(block => !cut.includes(block))
            trail.entries = trail.entries.filter(entry => !gone.has(entry.entryKey))
          })
          expect(result).toMatchObject({
            ok: false,
            problem: { kind: 'truncated', writer, sequence: kept * 4 },
          })
        },
      ),
    )
  })

  it('finds any block that was changed', async () => {
    const field = fc.constantFrom<keyof BlockRecord>(
      'executionId',
      'writer',
      'number',
      'first',
      'entryKeys',
      'previous',
      'keyId',
      'expiresAt',
      'mac',
    )
    await fc.assert(
      fc.asyncProperty(anyBlock, field, async (index, name) => {
        expect(await verify(({ blocks }) => change(blocks, index, name))).toMatchObject({ ok: false })
      }),
    )
  })

  it('tells a block that was dropped from two that were swapped', async () => {
    await fc.assert(
      fc.asyncProperty(anyBlock, anyBlock, async (one, other) => {
        const dropped = await verify(({ blocks }) => blocks.splice(one, 1))
        const kind = one % 4 === 3 ? 'truncated' : 'missing'
        expect(dropped).toMatchObject({ ok: false, problem: { kind, sequence: (one % 4) * 4 } })
        fc.pre(one !== other)
        const swapped = await verify(({ blocks }) => {
          ;[blocks[one], blocks[other]] = [blocks[other] as BlockRecord, blocks[one] as BlockRecord]
        })
        expect(swapped).toMatchObject({ ok: false })
        if (Math.floor(one / 4) === Math.floor(other / 4)) {
          expect(swapped).toMatchObject({ problem: { kind: 'reordered' } })
        }
      }),
    )
  })

  it('finds two entries of one block in the wrong order', async () => {
    const result = await verify(({ blocks }) => {
      const [block] = blocks as [BlockRecord]
      blocks[0] = { ...block, entryKeys: block.entryKeys.toReversed() }
    })
    expect(result).toMatchObject({ ok: false, problem: { kind: 'changed', record: 'block' } })
  })

  it('finds a seal that is missing, changed or of another execution', async () => {
    const without = await verify(trail => {
      trail.seal = undefined
    })
    expect(without).toMatchObject({ ok: false, problem: { kind: 'unsealed', record: 'seal' } })
    for (const field of ['executionId', 'chains', 'entries', 'sealedAt', 'expiresAt', 'mac']) {
      const result = await verify(trail => {
        const seals = [trail.seal as object]
        change(seals, 0, field)
        trail.seal = seals[0] as Snapshot['seal']
      })
      expect(result).toMatchObject({ ok: false, problem: { kind: 'changed', record: 'seal' } })
    }
  })

  it('counts the entries that a crash left after the seal as late', async () => {
    const store = createMemoryAuditStore()
    const log = createSingleLog({ store, keys })
    await log.append(success(1))
    await log.seal('run')
    const crashing = createSingleLog({
      store: { ...store, putBlock: () => Promise.reject(new Error('crash')) },
      keys,
    })
    await expect(crashing.append(success(0))).rejects.toThrow('crash')
    expect(await log.verify('run')).toEqual({ ok: true, entries: 1, writers: 1, late: 1 })
  })

  it('takes no seal but the one whose MAC was kept', async () => {
    const store = createMemoryAuditStore()
    const log = createSingleLog({ store, keys })
    await log.appendAll([success(0), success(1)])
    const { mac } = await log.seal('run')
    expect(await log.verify('run', { mac })).toMatchObject({ ok: true })
    // Whoever has the keys can make a whole new trail without an entry; it is not the one that was sealed.
    const forged = createMemoryAuditStore()
    const forger = createSingleLog({ store: forged, keys })
    await forger.append(success(0))
    await forger.seal('run')
    expect(await forger.verify('run')).toMatchObject({ ok: true })
    expect(await forger.verify('run', { mac })).toMatchObject({
      ok: false,
      problem: { kind: 'changed', record: 'seal', message: 'the seal is not the one whose MAC was kept' },
    })
  })

  it('takes no seal that a writer of entries signed, where seals have a key of their own', async () => {
    const store = createMemoryAuditStore()
    const sealKeys = parseAuditKeys(`s1:${Buffer.alloc(32, 9).toString('base64')}`)
    const writer = createSingleLog({ store, keys })
    const sealer = createSingleLog({ store, keys, sealKeys })
    await writer.append(success(0))
    await writer.seal('run')
    expect(await sealer.verify('run')).toMatchObject({ ok: false, problem: { kind: 'unknown-key' } })
    await writer.append(success(0, { executionId: 'other' }))
    await sealer.seal('other')
    expect(await sealer.verify('other')).toMatchObject({ ok: true })
  })
})
