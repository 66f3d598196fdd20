import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCut, toJsonWithin } from './cut-to-size.ts'

describe('toJsonWithin', () => {
  it('leaves alone what fits, to the byte', () => {
    const fields = { userRecord: 'é'.repeat(3000) }
    const bytes = Buffer.byteLength(JSON.stringify(fields))
    expect(JSON.parse(toJsonWithin(fields, bytes))).toEqual(fields)
    expect(isCut(JSON.parse(toJsonWithin(fields, bytes - 1)).userRecord)).toBe(true)
  })

  it('puts markers in place of the largest fields only', () => {
    const large = 'x'.repeat(50_000)
    const cut = JSON.parse(
      toJsonWithin({ userRecord: { id: 1 }, processResult: { large }, error: 'e' }, 40_000),
    )
    const json = JSON.stringify({ large })
    expect(cut).toEqual({
      userRecord: { id: 1 },
      processResult: {
        $cut: {
          bytes: json.length,
          sha256: createHash('sha256').update(json).digest('hex'),
          start: json.slice(0, 1000),
        },
      },
      error: 'e',
    })
  })

  it('never splits a character', () => {
    const cut = JSON.parse(toJsonWithin({ a: `${'x'.repeat(998)}${'😀'.repeat(5000)}` }, 10_000))
    expect(cut.a.$cut.start.isWellFormed()).toBe(true)
  })

  it('always fits', () => {
    const field = fc.string({ maxLength: 20_000, size: 'max', unit: 'grapheme' })
    fc.assert(
      fc.property(fc.record({ userRecord: field, processResult: field, error: field }), fields => {
        expect(Buffer.byteLength(toJsonWithin(fields, 25_000))).toBeLessThanOrEqual(25_000)
      }),
      { numRuns: 20 },
    )
  })
})
