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
      { a: undefined, b: () => 1, c: Symbol('s'), d: Number.NaN, e: -0, text: '\\ud800 "' },
      [undefined, () => 1, Number.POSITIVE_INFINITY],
      new Date(0),
      { at: new Date(0), box: Object(1), flag: Object(false), text: Object('x') },
      { toJSON: (key: string) => `under ${key}` },
      Object.create({ inherited: 1 }),
      JSON.parse('{"__proto__": 1, "constructor": 2}'),
      undefined,
      new Map([[1, 2]]),
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

  it('refuses what JSON cannot say', () => {
    const circle: unknown[] = []
    circle.push(circle)
    for (const value of [1n, { a: [1n] }, circle]) {
      expect(() => toEntryJson(value)).toThrow(expect.objectContaining({ name: 'DataValidationError' }))
    }
  })
})
