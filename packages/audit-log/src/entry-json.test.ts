import { canonicalJson } from '@stepwright/errors/json'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toEntryJson } from './entry-json.ts'

describe('toEntryJson', () => {
  it('does not depend on the order of keys', () => {
    expect(toEntryJson({ b: [{ d: 1, c: 2 }], a: 'é' })).toBe('{"a":"é","b":[{"c":2,"d":1}]}')
    expect(toEntryJson({ a: 'é', b: [{ c: 2, d: 1 }] })).toBe('{"a":"é","b":[{"c":2,"d":1}]}')
    expect(toEntryJson({ b: 1, 10: 2, 9: 3 })).toBe('{"10":2,"9":3,"b":1}')
  })

  it('says what JSON.stringify says', () => {
    const odd = [
      { a: undefined, e: -0, text: '\\ud800 "' },
      new Date(0),
      { at: new Date(0), box: Object(1), flag: Object(false), text: Object('x') },
      { toJSON: (key: string) => `under ${key}` },
      Object.assign(Object.create(null), { a: 1 }),
      JSON.parse('{"__proto__": 1, "constructor": 2}'),
      undefined,
    ]
    for (const value of odd) {
      const json = JSON.stringify(value)
      expect(toEntryJson(value)).toBe(json)
      expect(toEntryJson({ value })).toBe(JSON.stringify({ value }))
    }
  })

  it('means the same as what it was given, and stays the same when written again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const json = toEntryJson(value) as string
        expect(json).toBe(canonicalJson(value))
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(toEntryJson(JSON.parse(json))).toBe(json)
      }),
    )
  })

  it('keeps a place for half a surrogate pair', () => {
    expect(toEntryJson({ '\udc00': 'lone \ud800, 😀 and \\ud800' })).toBe(
      '{"\ufffd":"lone \ufffd, 😀 and \\\\ud800"}',
    )
  })

  const circle: unknown[] = []
  circle.push(circle)
  it.each<readonly [string, unknown]>([
    ['a value of BigInt', 1n],
    ['a value of BigInt at $.a[0]', { a: [1n] }],
    ['a cycle', circle],
    ['NaN at $.d', { d: Number.NaN }],
    ['Infinity at $[0]', [Number.POSITIVE_INFINITY]],
    ['an invalid date', new Date('never')],
    ['undefined at $.list[0]', { list: [undefined] }],
    // biome-ignore lint/suspicious/noSparseArray: this is what is tested
    ['undefined at $[1]', [1, , 2]],
    ['a value of Function at $.b', { b: () => 1 }],
    ['a value of Symbol at $.c', { c: Symbol('s') }],
    ['a value of Map at $.seats', { seats: new Map([[1, 2]]) }],
    ['a value of ArrayBuffer', new ArrayBuffer(2)],
    ['a value of Error at $.error', { error: new Error('x') }],
    ['a value of Object', Object.create({ inherited: 1 })],
  ])('refuses %s, which JSON would change or drop', (what, value) => {
    expect(() => toEntryJson(value)).toThrow(
      expect.objectContaining({ name: 'DataValidationError', code: 'NOT_JSON' }),
    )
    expect(() => toEntryJson(value)).toThrow(what)
  })
})
