import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from './parse-json.ts'

describe('parseJson', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(0, 2), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent)
        const source = parseJson(text)
        expect(source.problems).toEqual([])
        expect(source.value).toEqual(JSON.parse(text))
      }),
    )
  })

  it('refuses what JSON.parse refuses, and never throws', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '{', '}', ']', ':', 'x', '\\', '\n'),
        (json, at, noise) => {
          const cut = at % (json.length + 1)
          const text = json.slice(0, cut) + noise + json.slice(cut + 1)
          expect(parseJson(text).problems.every(({ kind }) => kind === 'duplicate-key')).toBe(parses(text))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('knows where values and keys stand', () => {
    const source = parseJson('{\n  "a": [1,\n    {"b/c": "é"}]\n}')
    expect(source.locate(['a', 1, 'b/c'])).toMatchObject({ line: 3, column: 13, endLine: 3, endColumn: 16 })
    expect(source.locate(['a', 1, 'b/c'], 'key')).toMatchObject({ line: 3, column: 6 })
    expect(source.locate(['a', 1, 'missing'])).toMatchObject({ line: 3, column: 5 })
  })

  it('names the key that is given twice, and takes the last', () => {
    const source = parseJson('{"a": 1, "a": 2}')
    expect(source.value).toEqual({ a: 2 })
    expect(source.problems).toMatchObject([
      { kind: 'duplicate-key', pointer: ['a'], location: { line: 1, column: 10 } },
    ])
  })

  it('takes comments and trailing commas only when told to', () => {
    const text = '{ // note\n "a": [1, /* two */ 2,],\n}'
    expect(parseJson(text, { comments: true })).toMatchObject({ value: { a: [1, 2] }, problems: [] })
    expect(parseJson(text).problems.map(problem => problem.location.line)).toEqual([1, 2, 2])
    expect(parseJson(text).value).toEqual({ a: [1, 2] })
  })

  it('says where a truncated text was opened', () => {
    expect(parseJson('{"States": {"A": {"Type": "Pass"')).toMatchObject({
      broken: true,
      problems: [{ kind: 'syntax', pointer: ['States', 'A'], location: { line: 1, column: 18 } }],
    })
  })

  it('survives 10 MB of opening brackets', () => {
    expect(parseJson('['.repeat(10_000_000)).problems).toMatchObject([
      { message: 'Nested more than 200 levels deep.' },
    ])
  })

  it('reads 10 MB of values', () => {
    const text = JSON.stringify(Array.from({ length: 400_000 }, (_, index) => `value number ${index}`))
    expect((parseJson(text).value as string[]).at(-1)).toBe('value number 399999')
  }, 60_000)

  it('keeps a key called __proto__ a plain key', () => {
    const source = parseJson('{"__proto__": {"polluted": true}}')
    expect(Object.keys(source.value as object)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
