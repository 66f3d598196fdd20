import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CompiledPath, compilePath, requirePath } from './path.ts'
import { placeAt } from './place.ts'

function compile(path: string): CompiledPath {
  return compilePath(requirePath(path))
}

function find(path: string, root: unknown) {
  return compile(path).find(root as never)
}

const store = {
  books: [
    { title: 'A', price: 5, tags: ['x', 'y'] },
    { title: 'B', price: 15, tags: [] },
    { title: 'C', price: 10, isbn: '1' },
  ],
  'odd-name': { 'a.b': 1 },
}

describe('compilePath', () => {
  it.each([
    ['$', store],
    ['$.books[0].title', 'A'],
    ['$.books[-1].title', 'C'],
    ["$['odd-name']['a.b']", 1],
    ['$.odd-name', { 'a.b': 1 }],
    ['$.books[*].title', ['A', 'B', 'C']],
    ['$.books[0,2].title', ['A', 'C']],
    ['$.books[1:].title', ['B', 'C']],
    ['$.books[:-1].title', ['A', 'B']],
    ['$..title', ['A', 'B', 'C']],
    ['$.books[?(@.price > 5)].title', ['B', 'C']],
    ['$.books[?(@.isbn)].title', ['C']],
    ['$.books[?(!@.isbn && @.price == 15)].title', ['B']],
    ["$.books[?(@.title in ['A', 'C'])].price", [5, 10]],
    ['$.books[?(@.title =~ /[bc]/i)].title', ['B', 'C']],
    ["$.books[?(@.title == 'A' || @.price >= 15)].title", ['A', 'B']],
    ["$.books[?('x' in @.tags)].title", ['A']],
    ["$.books[0]['title','price']", { title: 'A', price: 5 }],
    ['$.books.length()', 3],
    ['$.books[*].price.max()', 15],
    ['$.books.[1].title', 'B'],
    [
      "$.books[*]['title','price']",
      [
        { title: 'A', price: 5 },
        { title: 'B', price: 15 },
        { title: 'C', price: 10 },
      ],
    ],
    ['$..[?(@.isbn)]', [{ title: 'C', price: 10, isbn: '1' }]],
    ['$..books.length()', 3],
    ['$..price.max()', 15],
    ['$..tags[0]', ['x']],
    ['$.books[?(@.title in [A, C])].price', [5, 10]],
    ['$.books[?(@.tags[0] == "x")].title', ['A']],
  ])('finds %s', (path, expected) => {
    expect(find(path, store)).toEqual(expected)
  })

  it('finds nothing at the end of a definite path that leads nowhere', () => {
    expect(find('$.books[7].title', store)).toBeUndefined()
    expect(find('$.books.title', store)).toBeUndefined()
    expect(find('$.toString', store)).toBeUndefined()
  })

  it('finds an empty list where an indefinite path matches nothing', () => {
    expect(find('$.nothing[*]', store)).toEqual([])
    expect(find('$.nothing[1:].title', store)).toEqual([])
    expect(find('$.books[?(@.price > 99)]', store)).toEqual([])
  })

  it('fails where a pattern takes ever more ways through a text', () => {
    const text = `${'a'.repeat(40)}!`
    expect(() => find('$[?(@.t =~ /(a+)+b/)]', [{ t: text }])).toThrow(/takes too long/)
    expect(find('$[?(@.t =~ /(a+)+!/)]', [{ t: text }])).toEqual([{ t: text }])
  })

  it('finds the least and the most of very many numbers', () => {
    const numbers = Array.from({ length: 200_000 }, (_, index) => index)
    expect([find('$.min()', numbers), find('$.max()', numbers)]).toEqual([0, 199_999])
  })

  it('keeps a backslash in a quoted name, which keeps a quote from ending it', () => {
    const [quote, name] = [String.raw`it\'s`, String.raw`a\b`]
    expect(find(String.raw`$['it\'s']['a\b']`, { [quote]: { [name]: 1 } })).toBe(1)
    expect(find(String.raw`$['it\'s']`, { "it's": 1 })).toBeUndefined()
  })

  it('explains what is missing in the words of Step Functions', () => {
    expect(compile('$.a.b').explainMissing({ a: {} })).toBe("No results for path: $['a']['b']")
    expect(compile('$.a.b').explainMissing({})).toBe("Missing property in path $['a']")
  })

  it('fails on a filter that cannot be read only when it is needed', () => {
    const path = compile('$.books[?(@.title == Unquoted)]')
    expect(path.find({ books: [] })).toEqual([])
    expect(() => path.find(store as never)).toThrow(/States\.Runtime: .*not a value/)
  })

  it.each(['a.b', '$.', '$.a[', '$.a[x]', "$['a", '$.a b', '$.a[?@.b==1]'])('refuses %s', path => {
    expect(() => compile(path)).toThrow(/Invalid path/)
  })
})

describe('placeAt', () => {
  const place = (path: string, root: unknown, value: unknown) =>
    placeAt(compile(path), root as never, value as never)

  it('replaces, adds and creates what lies between', () => {
    expect(place('$', { a: 1 }, 2)).toBe(2)
    expect(place('$.b', { a: 1 }, 2)).toEqual({ a: 1, b: 2 })
    expect(place('$.a.b.c', {}, 2)).toEqual({ a: { b: { c: 2 } } })
    expect(place('$.a[1]', { a: [1, 2] }, 9)).toEqual({ a: [1, 9] })
  })

  it('cannot go through a scalar or past the end of a list', () => {
    expect(place('$.a.b', { a: 3 }, 2)).toBeUndefined()
    expect(place('$.a[5]', { a: [1] }, 2)).toBeUndefined()
    expect(place('$.a', 'text', 2)).toBeUndefined()
  })

  it('is found again where it was placed, and leaves the original alone', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
        fc.array(fc.stringMatching(/^[a-z]{1,3}$/), { minLength: 1, maxLength: 3 }),
        fc.jsonValue(),
        (root, names, value) => {
          const path = compile(`$.${names.join('.')}`)
          const before = JSON.stringify(root)
          const placed = placeAt(path, root as never, value as never)
          fc.pre(placed !== undefined)
          expect(path.find(placed as never)).toEqual(value)
          expect(JSON.stringify(root)).toBe(before)
        },
      ),
    )
  })
})
