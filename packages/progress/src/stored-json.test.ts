import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asStored, toStoredJson } from './stored-json.ts'

describe('toStoredJson', () => {
  it('replaces what PostgreSQL refuses, and nothing else', () => {
    expect(asStored(['a\0b', '\ud800x', 'x\udfff', '😀', '\\u0000', '\\\0', '\n'])).toEqual([
      'a\ufffdb',
      '\ufffdx',
      'x\ufffd',
      '😀',
      '\\u0000',
      '\\\ufffd',
      '\n',
    ])
    expect(asStored({ 'k\0': undefined, 'l\0': 1 })).toEqual({ 'l\ufffd': 1 })
    expect(toStoredJson(undefined)).toBe('null')
  })

  it('leaves well-formed text without NUL as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), value => {
        const json = JSON.stringify(value)
        fc.pre(!json.includes('\\u0000') && !/\\ud/.test(json))
        expect(toStoredJson(value)).toBe(json)
      }),
    )
  })
})
