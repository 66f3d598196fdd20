import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, NotCanonicalError } from './canonical-json.ts'

const numbers = JSON.parse(
  readFileSync(new URL('../test/canonical-numbers.vectors.json', import.meta.url), 'utf8'),
) as { vectors: Record<string, string> }

describe('canonicalJson', () => {
  it.each(Object.entries(numbers.vectors))('writes the number with the bits %s as %s', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text)
  })

  it('writes what JSON reads back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), value => {
        expect(isDeepStrictEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))).toBe(
          true,
        )
      }),
    )
  })

  it('gives one text for every order of members', () => {
    const members = fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.integer()), { maxLength: 8 })
    fc.assert(
      fc.property(members, fc.infiniteStream(fc.nat()), (entries, random) => {
        const object = Object.fromEntries(entries)
        const shuffled = Object.entries(object)
          .map(entry => ({ entry, rank: random.next().value as number }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ entry }) => entry)
        expect(canonicalJson(Object.fromEntries(shuffled))).toBe(canonicalJson(object))
      }),
    )
  })

  it('means a value before and after a JSON boundary', () => {
    const sent = {
      at: new Date(0),
      left: undefined,
      list: [undefined, 1],
      nested: { toJSON: () => 'text' },
      box: [Object(1), Object('x'), Object(false)],
    }
    expect(canonicalJson(sent)).toBe(canonicalJson(JSON.parse(JSON.stringify(sent))))
  })

  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  it.each([
    ['undefined', undefined],
    ['NaN', { a: Number.NaN }],
    ['Infinity', [Number.POSITIVE_INFINITY]],
    ['a bigint', 1n],
    ['a function', { f: () => 1 }],
    ['a symbol', Symbol('s')],
    ['a Map', new Map([[1, 2]])],
    ['a Set', { tags: new Set(['a']) }],
    ['a Uint8Array', new Uint8Array(2)],
    ['a lone surrogate', '\ud800'],
    ['a lone surrogate', { '\udc00': 1 }],
    ['a cycle', cycle],
    ['a value, 1000 levels deep', Array.from({ length: 100_000 }).reduce(inner => [inner], 0)],
  ])('refuses %s', (what, value) => {
    expect(() => canonicalJson(value)).toThrow(NotCanonicalError)
    expect(() => canonicalJson(value)).toThrow(what)
  })

  it('writes an object that is met twice, but not within itself', () => {
    const shared = { a: 1 }
    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]')
  })
})
