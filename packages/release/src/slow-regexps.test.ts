import { describe, expect, it } from 'vitest'
import { findRegExps } from './find-regexps.ts'
import { attackOn } from './slow-regexps.ts'

describe('findRegExps', () => {
  it('finds every literal, and nothing that only looks like one', () => {
    const text =
      "const a = /x+$/m\n// no /y/ here\nconst b = 1 / 2 / 3\nexport const c = <T>(d: T) => [/z[/]/.test('/w/')]\n"
    expect(findRegExps('a.ts', text)).toEqual([
      { pattern: 'x+$', flags: 'm', line: 1 },
      { pattern: 'z[/]', flags: '', line: 4 },
    ])
  })
})

describe('attackOn', () => {
  it.each([
    ['^(a|a)*$', 'exponential'],
    ['\\s+$', '2nd degree polynomial'],
  ])('tells how to attack /%s/', async (pattern, complexity) => {
    expect(await attackOn(pattern, '')).toMatch(new RegExp(`^${complexity} .*repeat\\(`))
  })

  it.each(['^a+$', '(?<!\\s)\\s+$'])('has nothing against /%s/', async pattern => {
    expect(await attackOn(pattern, '')).toBeUndefined()
  })
})
