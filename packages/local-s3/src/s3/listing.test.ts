import { array, assert, constantFrom, integer, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareKeys, createKeyIndex } from './key-index.ts'
import { listKeys } from './listing.ts'

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
// Few letters, so that keys share prefixes and delimiters often.
const key = string({ unit: constantFrom('a', 'b', '/', 'é', '\uffee', '😀'), minLength: 1, maxLength: 6 })

describe('compareKeys', () => {
  it('orders as the bytes of UTF-8 do', () => {
    const text = string({ unit: 'binary' })
    assert(
      property(text, text, (one, other) => {
        expect(Math.sign(compareKeys(one, other))).toBe(byBytes(one, other))
      }),
    )
  })
})

describe('createKeyIndex', () => {
  it('holds what was added and not deleted, once and in order', () => {
    assert(
      property(array(key), array(key), (added, deleted) => {
        const index = createKeyIndex(new Set(added.slice(0, 3)))
        for (const one of added) index.add(one)
        for (const one of deleted) index.delete(one)
        const found = Array.from({ length: index.size }, (_, position) => index.at(position))
        const expected = [...new Set(added)].filter(one => !deleted.includes(one)).sort(byBytes)
        expect(found).toEqual(expected)
      }),
    )
  })
})

describe('listKeys', () => {
  it('finds in pages, with any prefix and delimiter, what a plain search finds', () => {
    const settings = [
      array(key),
      key.map(one => one.slice(0, 2)),
      constantFrom('', '/', 'b/'),
      integer({ min: 1, max: 5 }),
    ] as const
    assert(
      property(...settings, (keys, prefix, delimiter, maxKeys) => {
        const index = createKeyIndex(new Set(keys))
        const found: string[] = []
        let after = ''
        for (;;) {
          const page = listKeys(index, { prefix, delimiter, after, maxKeys })
          found.push(...[...page.keys, ...page.commonPrefixes].sort(byBytes))
          expect(page.keys.length + page.commonPrefixes.length).toBeLessThanOrEqual(maxKeys)
          if (page.next === undefined) break
          after = page.next
        }
        expect(found).toEqual(plainSearch(keys, prefix, delimiter))
      }),
      { numRuns: 500 },
    )
  })
})

function plainSearch(keys: string[], prefix: string, delimiter: string): string[] {
  const entries = keys
    .filter(one => one.startsWith(prefix))
    .map(one => {
      const end = delimiter === '' ? -1 : one.indexOf(delimiter, prefix.length)
      return end === -1 ? one : one.slice(0, end + delimiter.length)
    })
  return [...new Set(entries)].sort(byBytes)
}
