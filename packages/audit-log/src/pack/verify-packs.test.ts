import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAuditLog } from '../audit-log.ts'
import { createMemoryAuditStore } from '../memory-audit-store.ts'
import { keys, otherThan, success } from '../test/audit-trail.ts'
import { createSealedTrail, placeOf, trailBlocks, trailEntries } from '../test/sealed-trail.ts'
import type { VerifyOptions, VerifyResult } from '../verify-execution.ts'
import type { PackRecord } from './pack-record.ts'
import { maxTextBytes } from './pack-text.ts'
import { tagBytes } from './packed-entry.ts'

const { original, verify } = await createSealedTrail()

/** Rewrites the entries of a block as somebody would who has no key. */
function rewrite(packs: PackRecord[], at: number, change: (lines: string[], tags: Buffer[]) => void): void {
  const pack = packs[at] as PackRecord
  const lines = gunzipSync(pack.body).toString().split('\n')
  const tags = lines.map((_, index) => Buffer.from(pack.tags.slice(index * tagBytes, (index + 1) * tagBytes)))
  change(lines, tags)
  packs[at] = { ...pack, body: gzipSync(lines.join('\n')), tags: Buffer.concat(tags) }
}

const anyEntry = fc.nat(trailEntries - 1)
const anyPack = fc.nat(trailBlocks - 1)

describe('verifyExecution of packed entries', () => {
  it('finds nothing wrong with what was written', async () => {
    expect(await verify(() => {})).toEqual({ ok: true, entries: trailEntries, writers: 3, late: 0 })
  })

  it('finds any single character changed in an entry, and names the entry', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyEntry,
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 1 }),
        async (item, at, char) => {
          fc.pre(char !== '\n')
          const result = await verify(({ packs }) =>
            rewrite(packs, item >> 2, lines => {
              const line = lines[item % 4] as string
              const place = at % line.length
              const other = line[place] === char ? '' : char
              lines[item % 4] = line.slice(0, place) + other + line.slice(place + 1)
            }),
          )
          expect(result).toMatchObject({
            ok: false,
            problem: { kind: 'changed', itemIndex: item, sequence: item % 16 },
          })
        },
      ),
    )
  })

  it('names an entry that was changed together with its tag', async () => {
    const result = await verify(({ packs }) =>
      rewrite(packs, 4, (lines, tags) => {
        lines[2] = (lines[2] as string).replace('U00018', 'U00099')
        tags[2] = Buffer.alloc(tagBytes)
      }),
    )
    expect(result).toMatchObject({ ok: false, problem: { kind: 'changed', record: 'entry', ...placeOf(18) } })
  })

  it('names any entry that was dropped, with its tag or without', async () => {
    await fc.assert(
      fc.asyncProperty(anyEntry, fc.boolean(), async (item, withTag) => {
        const result = await verify(({ packs }) =>
          rewrite(packs, item >> 2, (lines, tags) => {
            lines.splice(item % 4, 1)
            if (withTag) tags.splice(item % 4, 1)
          }),
        )
        expect(result).toMatchObject({
          ok: false,
          problem: { kind: 'missing', record: 'entry', ...placeOf(item) },
        })
      }),
    )
  })

  it('names the first of any two entries of a block that were swapped, with their tags or without', async () => {
    await fc.assert(
      fc.asyncProperty(anyPack, fc.nat(3), fc.nat(3), fc.boolean(), async (at, one, other, withTags) => {
        fc.pre(one < other)
        const result = await verify(({ packs }) =>
          rewrite(packs, at, (lines, tags) => {
            ;[lines[one], lines[other]] = [lines[other] as string, lines[one] as string]
            if (withTags) [tags[one], tags[other]] = [tags[other] as Buffer, tags[one] as Buffer]
          }),
        )
        expect(result).toMatchObject({ ok: false, problem: { kind: 'reordered', record: 'entry' } })
        if (!withTags) expect(result).toMatchObject({ problem: placeOf(at * 4 + one) })
      }),
    )
  })

  it('finds an entry of another block, and one that nobody wrote', async () => {
    const copied = await verify(({ packs }) =>
      rewrite(packs, 3, (lines, tags) => {
        const other = packs[0] as PackRecord
        lines.push(gunzipSync(other.body).toString().split('\n')[0] as string)
        tags.push(Buffer.from(other.tags.slice(0, tagBytes)))
      }),
    )
    expect(copied).toMatchObject({ ok: false, problem: { kind: 'reordered', itemIndex: 0 } })
    const invented = await verify(({ packs }) =>
      rewrite(packs, 3, lines => lines.push((lines[3] as string).replace('[15,', '[16,'))),
    )
    expect(invented).toMatchObject({ ok: false, problem: { record: 'block', sequence: 12 } })
  })

  it('finds any attribute of a block that was changed', async () => {
    const fields = Object.keys(original.packs[0] as object) as (keyof PackRecord)[]
    expect(fields).toHaveLength(14)
    for (const [at] of original.packs.entries()) {
      for (const field of fields) {
        const result = await verify(({ packs }) => {
          const pack = packs[at] as PackRecord
          packs[at] = { ...pack, [field]: otherThan(pack[field]) }
        })
        expect(result, field).toMatchObject({ ok: false })
      }
    }
  })

  it('tells a block that was dropped, a chain that was cut off, and blocks in the place of others', async () => {
    await fc.assert(
      fc.asyncProperty(anyPack, anyPack, async (one, other) => {
        const dropped = await verify(({ packs }) => packs.splice(one, 1))
        const kind = one % 4 === 3 ? 'truncated' : 'missing'
        expect(dropped).toMatchObject({ ok: false, problem: { kind, sequence: (one % 4) * 4 } })
        const cut = await verify(({ packs }) => packs.splice(one, 4 - (one % 4)))
        expect(cut).toMatchObject({
          ok: false,
          problem: { kind: 'truncated', writer: 'abc'[one >> 2], sequence: (one % 4) * 4 },
        })
        fc.pre(one !== other)
        const swapped = await verify(({ packs }) => {
          const [a, b] = [packs[one] as PackRecord, packs[other] as PackRecord]
          packs[one] = { ...b, packKey: a.packKey }
          packs[other] = { ...a, packKey: b.packKey }
        })
        expect(swapped).toMatchObject({ ok: false, problem: { kind: 'reordered', record: 'block' } })
      }),
    )
  })

  it('does not decompress more than a block can hold, nor what is no gzip', async () => {
    for (const body of [
      gzipSync(Buffer.alloc(maxTextBytes + 1)),
      gzipSync(Buffer.alloc(200_000_000)),
      Buffer.from('x'),
    ]) {
      const before = process.memoryUsage().arrayBuffers
      const result = await verify(({ packs }) => {
        packs[5] = { ...(packs[5] as PackRecord), body }
      })
      expect(result).toMatchObject({
        ok: false,
        problem: { kind: 'changed', record: 'block', writer: 'b', sequence: 4 },
      })
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000)
    }
  })
})

describe('verifyExecution from a checkpoint', () => {
  async function checkpoints(): Promise<string[]> {
    const found: string[] = []
    await verify(() => {}, { checkpointBlocks: 1, onCheckpoint: text => void found.push(text) })
    expect(found).toHaveLength(12)
    return found
  }

  it('goes on from any of them to the same result, and looks at nothing that came before', async () => {
    for (const [at, checkpoint] of (await checkpoints()).entries()) {
      expect(await verify(() => {}, { checkpoint })).toEqual({ ok: true, entries: 48, writers: 3, late: 0 })
      const changed = (place: number): Promise<VerifyResult> =>
        verify(({ packs }) => rewrite(packs, place, lines => lines.reverse()), { checkpoint })
      expect(await changed(at)).toMatchObject({ ok: true })
      if (at < 11)
        expect(await changed(at + 1)).toMatchObject({ ok: false, problem: { sequence: ((at + 1) % 4) * 4 } })
    }
  })

  it('finds what is missing after it', async () => {
    const [first = '', , , , fifth = ''] = await checkpoints()
    const gap = await verify(({ packs }) => packs.splice(6, 1), { checkpoint: fifth })
    expect(gap).toMatchObject({ ok: false, problem: { kind: 'missing', writer: 'b', sequence: 8 } })
    const end = await verify(({ packs }) => packs.splice(11, 1), { checkpoint: first })
    expect(end).toMatchObject({ ok: false, problem: { kind: 'truncated', writer: 'c', sequence: 12 } })
  })

  it('is refused where it is of another trail, of another seal, or was changed', async () => {
    const [checkpoint = ''] = await checkpoints()
    const refused = { name: 'DataValidationError', code: 'CHECKPOINT' }
    const store = createMemoryAuditStore()
    const log = createAuditLog({ store, keys })
    for (const executionId of ['run', 'other']) {
      await log.append(success(0, { executionId }))
      await log.seal(executionId)
      await expect(log.verify(executionId, { checkpoint })).rejects.toMatchObject(refused)
    }
    const fields = JSON.parse(Buffer.from(checkpoint, 'base64url').toString())
    const tampered = { ...fields, content: fields.content.replace('"entries":4', '"entries":5') }
    expect(tampered.content).not.toBe(fields.content)
    for (const text of ['', 'x', Buffer.from(JSON.stringify(tampered)).toString('base64url')]) {
      await expect(verify(() => {}, { checkpoint: text })).rejects.toMatchObject(refused)
    }
  })

  it('can be stopped between two blocks, and gone on with', async () => {
    const stop = new AbortController()
    let last: string | undefined
    const options: VerifyOptions = {
      checkpointBlocks: 5,
      signal: stop.signal,
      onCheckpoint(checkpoint) {
        last = checkpoint
        stop.abort(new Error('no time left'))
      },
    }
    await expect(verify(() => {}, options)).rejects.toThrow('no time left')
    expect(await verify(() => {}, { checkpoint: last })).toMatchObject({ ok: true, entries: 48 })
  })

  it.each([0, 1.5, Number.NaN])('refuses %d as checkpointBlocks', async checkpointBlocks => {
    await expect(verify(() => {}, { checkpointBlocks })).rejects.toThrow('checkpointBlocks must be a whole')
  })
})
