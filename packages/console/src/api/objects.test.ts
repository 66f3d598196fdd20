import { describe, expect, it } from 'vitest'
import { csvRows } from './objects.ts'

describe('csvRows', () => {
  it.each([
    [
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a\tb\n1,5\t2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    ['"a,\n""b""",c\n', [['a,\n"b"', 'c']]],
    ['', []],
  ])('reads %j', (text, rows) => {
    expect(csvRows(text, 10)).toEqual(rows)
  })

  it('stops where enough has been read', () => {
    expect(csvRows('1\n2\n3\n', 2)).toEqual([['1'], ['2']])
  })
})
