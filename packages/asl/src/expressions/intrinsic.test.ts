import { describe, expect, it } from 'vitest'
import { parseIntrinsic } from './intrinsic.ts'

describe('parseIntrinsic', () => {
  it('reads nested calls, paths and literals', () => {
    expect(
      parseIntrinsic("States.Format('{}-{}', States.ArrayGetItem($.list[0:2], 1), $$.Execution.Name)"),
    ).toMatchObject({
      name: 'States.Format',
      args: [
        { kind: 'literal', value: '{}-{}' },
        {
          kind: 'call',
          call: { name: 'States.ArrayGetItem', args: [{ path: { text: '$.list[0:2]' } }, { value: 1 }] },
        },
        { kind: 'path', path: { text: '$$.Execution.Name' } },
      ],
    })
  })

  it.each([
    'States.UUID()',
    "States.Format('no places')",
    "States.Format('it\\'s \\{\\} {}', $.a)",
    'States.MathRandom(1, 999)',
    'States.MathRandom(1, 999, 7)',
    'States.Array(1, null, true, -2.5)',
    "States.Hash($.a['x, y)'], 'SHA-256')",
    'States.StringToJson(States.Format($.template, 1))',
    `${'States.Array('.repeat(10)}${')'.repeat(10)}`,
  ])('accepts %s', text => expect(parseIntrinsic(text)).toBeTypeOf('object'))

  it.each([
    ["States.Format('{}')", '1 {} but 0'],
    ["States.MathAdd(1, '-1')", 'Argument 2'],
    ['States.Xyz($.a)', 'no function'],
    ["States.Format('a \\\" b')", 'not an escape'],
    ["States.Format('open", 'never closed'],
    ['States.UUID(1)', 'takes 0 arguments'],
    ['States.UUID() x', 'after the call'],
    ['States.ArrayLength($.a[)', ''],
    ['hello', 'not a call'],
    [`${'States.Array('.repeat(11)}${')'.repeat(11)}`, 'More than 10 functions'],
    ['States.Array('.repeat(3000), 'More than 10 functions'],
  ])('refuses %s', (text, reason) => expect(parseIntrinsic(text)).toContain(reason))
})
