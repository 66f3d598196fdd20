import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, NotCanonicalError, stringifyJson } from './canonical-json.ts'

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
      list: [null, 1],
      nested: { toJSON: () => 'text' },
      box: [Object(1), Object('x'), Object(false)],
    }
    expect(canonicalJson(sent)).toBe(canonicalJson(JSON.parse(JSON.stringify(sent))))
  })

  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  class Point {
    x = 1
  }
  const refused: readonly (readonly [string, unknown])[] = [
    ['NaN at $.a', { a: Number.NaN }],
    ['Infinity at $[0]', [Number.POSITIVE_INFINITY]],
    ['NaN at $.box', { box: Object(Number.NaN) }],
    ['an invalid date at $.at', { at: new Date('never') }],
    ['undefined at $.list[1]', { list: [1, undefined] }],
    // biome-ignore lint/suspicious/noSparseArray: this is what is tested
    ['undefined at $[0]', [, 1]],
    ['a value of BigInt', 1n],
    ['a value of Function at $.f', { f: () => 1 }],
    ['a value of Function at $[0]', [() => 1]],
    ['a value of Symbol', Symbol('s')],
    ['a value of Map', new Map([[1, 2]])],
    ['a value of Set at $.tags', { tags: new Set(['a']) }],
    ['a value of WeakMap', new WeakMap()],
    ['a value of Uint8Array', new Uint8Array(2)],
    ['a value of DataView', new DataView(new ArrayBuffer(2))],
    ['a value of ArrayBuffer at $.the body', { 'the body': new ArrayBuffer(2) }],
    ['a value of SharedArrayBuffer', new SharedArrayBuffer(2)],
    ['a value of RegExp at $.rows[0].pattern', { rows: [{ pattern: /x/ }] }],
    ['a value of FormData', new FormData()],
    ['a value of Blob', new Blob(['x'])],
    ['a value of URLSearchParams', new URLSearchParams('a=1')],
    ['a value of Headers', new Headers({ a: '1' })],
    ['a value of TypeError at $.error', { error: new TypeError('x') }],
    ['a value of Promise', Promise.resolve(1)],
    ['has no canonical JSON', [1].values()],
    ['a value of Point at $.p', { p: new Point() }],
    ['a value of Object', Object.create({ inherited: 1 })],
    ['a cycle at $.self', cycle],
  ]

  it.each<readonly [string, unknown]>([
    ...refused,
    ['undefined', undefined],
    ['a value that is too deep', Array.from({ length: 100_000 }).reduce(inner => [inner], 0)],
    ['a lone surrogate', '\ud800'],
    ['a lone surrogate', { '\udc00': 1 }],
    ['a lone surrogate at $.a[0]', { a: ['\ud800'] }],
  ])('refuses %s', (what, value) => {
    expect(() => canonicalJson(value)).toThrow(NotCanonicalError)
    expect(() => canonicalJson(value)).toThrow(what)
  })

  it.each(refused)('does not stringify %s', (what, value) => {
    expect(() => stringifyJson(value)).toThrow(NotCanonicalError)
    expect(() => stringifyJson(value)).toThrow(what)
  })

  it('refuses all that JSON does not keep, and nothing else', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
      withNullPrototype: true,
      withBoxedValues: true,
    })
    fc.assert(
      fc.property(anything, value => {
        let text: string
        try {
          text = canonicalJson(value)
        } catch {
          return
        }
        stringifyJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
    fc.assert(fc.property(fc.jsonValue(), value => stringifyJson(value) !== undefined))
  })

  it('takes plain objects of another realm, objects without a prototype, and what has a toJSON', () => {
    const bare = Object.assign(Object.create(null), { a: 1 })
    const given = {
      bare,
      other: runInNewContext('({ list: [1] })'),
      at: new Date(0),
      url: new URL('http://x/'),
    }
    expect(canonicalJson(given)).toBe(
      '{"at":"1970-01-01T00:00:00.000Z","bare":{"a":1},"other":{"list":[1]},"url":"http://x/"}',
    )
    stringifyJson(given)
    stringifyJson(undefined)
    stringifyJson({ left: undefined, half: '\ud800' })
  })

  it('writes an object that is met twice, but not within itself', () => {
    const shared = { a: 1 }
    expect(canonicalJson({ a: shared, ab: shared })).toBe('{"a":{"a":1},"ab":{"a":1}}')
    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]')
  })
})
