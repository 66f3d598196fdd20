import { describe, expect, it } from 'vitest'
import { isReferencePath, parsePath } from './path.ts'
import type { ParsedPath } from './syntax.ts'

function parsed(text: string): ParsedPath {
  const path = parsePath(text)
  if (typeof path === 'string') throw new Error(path)
  return path
}

describe('parsePath', () => {
  it.each([
    ['$', 'input', []],
    ['$.a.b-c', 'input', ['a', 'b-c']],
    ["$['a b'].c[2]", 'input', ['a b', 'c', 2]],
    ['$.a[-1]', 'input', ['a', -1]],
    ['$$.Execution.Name', 'context', ['Execution', 'Name']],
    ['$order.id', 'variable', ['id']],
    ['$.ユーザーID', 'input', ['ユーザーID']],
    // a backslash keeps a quote from ending the name, and stays part of it
    [String.raw`$['it\'s']["a\b"]`, 'input', [String.raw`it\'s`, String.raw`a\b`]],
  ])('reads %s', (text, root, steps) => {
    const path = parsed(text)
    expect(path.root.kind).toBe(root)
    expect(
      path.steps.map(step =>
        step.kind === 'field' ? step.name : step.kind === 'index' ? step.index : step.kind,
      ),
    ).toEqual(steps)
    expect(path.definite).toBe(true)
  })

  it.each([
    '$.a[*]',
    '$..b',
    '$.a[1:3]',
    "$.a[?(@.b == 'x]')].c",
    "$['a','b'].c",
    '$.a.*',
    '$.a[0,1]',
    '$..a[?(@[?(@.b)])]',
  ])('knows that %s can match many', text => expect(parsed(text).definite).toBe(false))

  it.each(['$.a.length()', '$..a.length()', "$.a['b','c']"])('knows that %s matches one', text =>
    expect(parsed(text).definite).toBe(true),
  )

  it.each([
    ['', 'begins with $'],
    ['a', 'begins with $'],
    ['$.', 'name is missing'],
    ['$...a', 'name is missing'],
    ['$.a[', 'not a name'],
    ['$.a]', 'not understood'],
    ['$.a[]', 'not a name'],
    ["$.a['b]", 'not closed'],
    ['$.a[x]', 'not a name'],
    ['$.a[:]', 'not a name'],
    ['$.items[$.index]', 'not a name'],
    ['$a b', 'not understood'],
    ['$.a b', 'not understood'],
    ['$.a[?@.b==1]', 'written [?(…)]'],
    ['$.a[?(@.b]', 'not closed'],
    ['$.a.min(', 'not a value'],
  ])('refuses %s', (text, reason) => expect(parsePath(text)).toContain(reason))

  it.each(['@.b == Unquoted', '1', '@.b =~ /[/', '@.b &&', '@.b in', '@.b ~ 1'])(
    'leaves a filter that cannot be read, %s, to the state that needs it',
    filter => expect(parsed(`$.a[?(${filter})]`).steps[1]).toMatchObject({ filter: { kind: 'unreadable' } }),
  )

  it('reads words without quotes in a list, as Jayway does', () => {
    expect(parsed('$.x[?(@.y in [a, "b", 3, [null]])]').steps[1]).toMatchObject({
      filter: { operator: 'in', right: { value: ['a', 'b', 3, [null]] } },
    })
  })

  it.each([
    `$${'.a'.repeat(100_000)}`,
    `$${"['a']".repeat(100_000)}`,
    `$[?(${'!'.repeat(100_000)}@.a)]`,
    `$[?(${'('.repeat(50_000)}@.a${')'.repeat(50_000)})]`,
    `$${'[?(@'.repeat(30_000)}${')]'.repeat(30_000)}`,
    `$[?(@.a in ${'['.repeat(100_000)})]`,
    `$[?(${'@.a && '.repeat(50_000)}@.a)]`,
  ])('needs no more than its length of time', text => {
    const before = process.threadCpuUsage()
    parsePath(text)
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(1000)
  })
})

describe('isReferencePath', () => {
  it.each([
    ['$.a.b', true],
    ['$', true],
    ['$.a[0]', true],
    ['$.a[-1]', false],
    ["$['a','b']", false],
    ['$.a[*]', false],
    ['$.a.length()', false],
    ['$$.Task', false],
    ['$variable', false],
  ])('%s: %s', (text, expected) => expect(isReferencePath(parsed(text))).toBe(expected))
})
