import { describe, expect, it } from 'vitest'
import { isReferencePath, parsePath } from './path.ts'

describe('parsePath', () => {
  it.each([
    ['$', 'input', []],
    ['$.a.b-c', 'input', ['a', 'b-c']],
    ["$['a b'].c[2]", 'input', ['a b', 'c', 2]],
    ['$$.Execution.Name', 'context', ['Execution', 'Name']],
    ['$order.id', 'variable', ['id']],
    ['$.ユーザーID', 'input', ['ユーザーID']],
  ])('reads %s', (text, root, steps) => {
    const path = parsePath(text)
    expect(path?.root.kind).toBe(root)
    expect(
      path?.steps.map(step =>
        step.kind === 'field' ? step.name : step.kind === 'index' ? step.index : step.text,
      ),
    ).toEqual(steps)
    expect(path?.definite).toBe(true)
  })

  it.each([
    '$.a[*]',
    '$..b',
    '$.a[1:3]',
    "$.a[?(@.b == 'x]')].c",
    '$.a.length()',
    "$['a','b']",
    '$.a[-1]',
    '$.a.*',
    '$.a[0,1]',
  ])('knows that %s can match many', text => expect(parsePath(text)?.definite).toBe(false))

  it.each(['', 'a', '.a', '$.', '$.a[', '$.a]', '$.a[]', "$.a['b]", '$.a[x]', '$a b'])('refuses %s', text =>
    expect(parsePath(text)).toBeUndefined(),
  )
})

describe('isReferencePath', () => {
  it.each([
    ['$.a.b', true],
    ['$', true],
    ['$.a[0]', true],
    ['$.a[*]', false],
    ['$$.Task', false],
    ['$variable', false],
  ])('%s: %s', (text, expected) => {
    const path = parsePath(text)
    expect(path && isReferencePath(path)).toBe(expected)
  })
})
