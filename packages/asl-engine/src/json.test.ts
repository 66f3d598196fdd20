import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { throughJson } from './json.ts'

function written(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null')
}

describe('throughJson', () => {
  it('gives what writing and reading JSON gives', () => {
    const leaf = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(undefined, Number.NaN, Number.POSITIVE_INFINITY, new Date(0), () => 1, Symbol('s')),
    )
    const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'toJSON_', 'constructor', '0'))
    const value = fc.oneof(leaf, fc.array(leaf), fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf))))
    fc.assert(
      fc.property(value, given => {
        expect(isDeepStrictEqual(throughJson(given), written(given))).toBe(true)
      }),
    )
  })

  it.each([-0, [-0], { a: -0 }, { ['__proto__']: { a: [-0] } }, { a: undefined, b: -0 }])(
    'has a zero without a sign, as JSON: %j',
    given => {
      expect(throughJson(given)).toStrictEqual(written(given))
    },
  )

  it('leaves out what is named by a symbol', () => {
    expect(Reflect.ownKeys(throughJson({ a: 1, [Symbol('s')]: 2 }) as object)).toEqual(['a'])
  })

  it('shares nothing with what it was given', () => {
    const given = { list: [{ a: 1 }], inner: { b: { c: 2 } } }
    const copy = throughJson(given) as typeof given
    copy.list[0] = { a: 9 }
    copy.inner.b.c = 9
    expect(given).toEqual({ list: [{ a: 1 }], inner: { b: { c: 2 } } })
  })
})
