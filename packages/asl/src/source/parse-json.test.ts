import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../language.ts'
import { parseJson } from './parse-json.ts'
import type { Pointer } from './pointer.ts'

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

  it('finds the same places in what JSON.parse reads and in what it does not', () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('a', '\\', '"', '":', '__proto__', '1', 'é'))
    const json = fc.letrec(tie => ({
      value: fc.oneof({ maxDepth: 4 }, fc.jsonValue({ maxDepth: 0 }), key, tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    })).value
    fc.assert(
      fc.property(
        json,
        fc.constantFrom('', '  ', '\t'),
        fc.constantFrom('', ' ', '\n\r'),
        (made, indent, space) => {
          const text = space + JSON.stringify(made, null, indent).replaceAll('":', `"${space}:`) + space
          fc.pre(parses(text))
          const plain = parseJson(text)
          const careful = parseJson(`${text}// a comment`, { comments: true })
          expect(careful.problems).toEqual([])
          for (const pointer of pointersOf(plain.value)) {
            expect(plain.locate(pointer)).toEqual(careful.locate(pointer))
            expect(plain.locate(pointer, 'key')).toEqual(careful.locate(pointer, 'key'))
          }
          for (let offset = 0; offset <= text.length; offset += 1)
            expect(plain.find(offset)).toEqual(careful.find(offset))
        },
      ),
    )
  })

  it('finds a key that is given twice, however it is written', () => {
    for (const text of [
      '{"a" : 1, "b": {"a": 1, "\\u0061": 2}}',
      '{"a": 1, "b": "\\":", "a" : 2}',
      '{"": 1,"":2}',
    ])
      expect(parseJson(text).problems).toMatchObject([{ kind: 'duplicate-key' }])
  })

  it('reads an escape for what it is, whatever was read before', () => {
    parseJson('{"a": 1, "\\\\": 2}')
    expect(parseJson('{"a": 1, "\\n": 2}').value).toEqual({ a: 1, '\n': 2 })
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

function pointersOf(value: Json, pointer: Pointer = []): readonly Pointer[] {
  if (typeof value !== 'object' || value === null) return [pointer]
  const children = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [pointer, ...children.flatMap(([key, child]) => pointersOf(child, [...pointer, key]))]
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
