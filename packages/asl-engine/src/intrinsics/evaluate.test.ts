import { describe, expect, it } from 'vitest'
import { compileIntrinsic } from './evaluate.ts'

function evaluate(text: string, input: unknown = {}) {
  return compileIntrinsic(text)({
    input: input as never,
    variables: { n: 7 },
    context: () => ({ Execution: { Name: 'run' } }),
    chance: { random: () => 0.5, uuid: () => 'a-uuid' },
  })
}

describe('intrinsic functions', () => {
  it.each([
    ["States.Format('{} and {}', $.a, 'b')", 'x and b'],
    ["States.Format('\\{\\} {}', 1)", '{} 1'],
    ["States.Format('It\\'s {}', true)", "It's true"],
    ["States.Format('{}', $.object)", '{k=[1, null]}'],
    ['States.Array(1, $.a, States.Array())', [1, 'x', []]],
    ['States.ArrayPartition($.list, 2)', [[1, 2], [2]]],
    ['States.ArrayContains($.list, 2)', true],
    ['States.ArrayRange(1, 9, 4)', [1, 5, 9]],
    ['States.ArrayGetItem($.list, 1)', 2],
    ['States.ArrayLength($.list)', 3],
    ['States.ArrayUnique($.list)', [1, 2]],
    ["States.Base64Encode('Data')", 'RGF0YQ=='],
    ["States.Base64Decode('RGF0YQ==')", 'Data'],
    ["States.Hash('input data', 'SHA-1')", 'aaff4a450a104cd177d28d18d74485e8cae074b7'],
    ['States.JsonMerge($.object, $.other, false)', { k: 2, l: 3 }],
    ['States.StringToJson(\'{"a":1}\')', { a: 1 }],
    ['States.JsonToString($.list)', '[1,2,2]'],
    ['States.MathAdd($.half, -1)', 1],
    ['States.MathRandom(1, 11)', 6],
    ["States.StringSplit('1,2;3,,4', ',;')", ['1', '2', '3', '4']],
    ['States.UUID()', 'a-uuid'],
    ['States.MathAdd($n, 1)', 8],
    ["States.Format('{}', $$.Execution.Name)", 'run'],
  ])('%s', (text, expected) => {
    const input = { a: 'x', list: [1, 2, 2], object: { k: [1, null] }, other: { k: 2, l: 3 }, half: 1.5 }
    expect(evaluate(text, input)).toEqual(expected)
  })

  it('draws the same number for the same seed', () => {
    expect(evaluate('States.MathRandom(0, 1000, 42)')).toBe(evaluate('States.MathRandom(0, 1000, 42)'))
  })

  it('fails by name when a function refuses its arguments', () => {
    expect(() => evaluate('States.MathAdd($.a, 1)', { a: 'a' })).toThrow(
      /States\.IntrinsicFailure.*States\.MathAdd/,
    )
    expect(() => evaluate('States.Format($.a, 1, 2)', { a: '{}' })).toThrow(/Number of arguments/)
  })

  it('says which argument is missing in the input', () => {
    expect(() => evaluate('States.ArrayLength($.none)', { a: 1 })).toThrow(
      /'\$\.none' could not be found in the input '\{"a":1\}'/,
    )
  })

  it.each(['States.Nope()', 'States.Array(', "States.Array('a)", 'States.Array(1) x', 'Foo'])(
    'refuses %s',
    text => {
      expect(() => evaluate(text)).toThrow(/Invalid intrinsic function/)
    },
  )
})
