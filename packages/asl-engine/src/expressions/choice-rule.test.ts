import type { ChoiceTest } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { compileChoiceTest } from './choice-rule.ts'

function holds(test: object, input: unknown) {
  return compileChoiceTest(test as ChoiceTest)({
    input: input as never,
    variables: { limit: 5 },
    context: () => ({ Execution: { Name: 'run' } }),
    chance: { random: () => 0, uuid: () => '' },
  })
}

describe('compileChoiceTest', () => {
  it.each([
    [{ Variable: '$', StringEquals: 'a' }, 'a', true],
    [{ Variable: '$', StringEquals: '1' }, 1, false],
    [{ Variable: '$', StringLessThan: 'b' }, 'a', true],
    [{ Variable: '$', StringGreaterThanEquals: 'b' }, 'a', false],
    [{ Variable: '$', StringMatches: '*.log' }, 'a/b.log', true],
    [{ Variable: '$', StringMatches: 'a\\*c' }, 'a*c', true],
    [{ Variable: '$', StringMatches: 'a\\*c' }, 'abc', false],
    [{ Variable: '$', StringMatches: 'a.c' }, 'abc', false],
    [{ Variable: '$', StringMatches: 'a*b*c' }, 'a-b-b-c', true],
    [{ Variable: '$', StringMatches: 'ab*ba' }, 'aba', false],
    [{ Variable: '$', StringMatches: '*b*b*' }, 'abc', false],
    [{ Variable: '$', StringMatches: '**' }, '', true],
    [{ Variable: '$', StringMatches: '' }, 'a', false],
    [{ Variable: '$', StringMatches: `${'*a'.repeat(30)}*b` }, 'a'.repeat(100_000), false],
    [{ Variable: '$', NumericEquals: 1 }, 1.0, true],
    [{ Variable: '$', NumericEquals: 1 }, '1', false],
    [{ Variable: '$', NumericLessThanEquals: 3 }, 3, true],
    [{ Variable: '$', BooleanEquals: false }, false, true],
    [{ Variable: '$', BooleanEquals: false }, 0, false],
    [{ Variable: '$', TimestampEquals: '2024-01-01T00:00:00Z' }, '2024-01-01T01:00:00+01:00', true],
    [{ Variable: '$', TimestampGreaterThan: '2024-01-01T00:00:00Z' }, '2024-01-01', false],
    [{ Variable: '$', IsNull: true }, null, true],
    [{ Variable: '$', IsNull: false }, 0, true],
    [{ Variable: '$', IsNumeric: false }, 'x', true],
    [{ Variable: '$', IsString: true }, 'x', true],
    [{ Variable: '$', IsBoolean: true }, 'true', false],
    [{ Variable: '$', IsTimestamp: true }, '2024-02-30T00:00:00Z', false],
    [{ Variable: '$', IsTimestamp: true }, '2024-02-29T23:59:59.5Z', true],
    [{ Variable: '$.x', IsPresent: false }, {}, true],
    [{ Variable: '$.x', IsPresent: true }, { x: null }, true],
    [{ Variable: '$.a', NumericEqualsPath: '$.b' }, { a: 1, b: 1 }, true],
    [{ Variable: '$.a', NumericLessThanPath: '$limit' }, { a: 4 }, true],
    [{ Variable: '$$.Execution.Name', StringEquals: 'run' }, {}, true],
    [{ And: [{ Variable: '$', IsString: true }, { Not: { Variable: '$', StringEquals: 'a' } }] }, 'b', true],
    [
      {
        Or: [
          { Variable: '$', IsNull: true },
          { Variable: '$', NumericEquals: 2 },
        ],
      },
      2,
      true,
    ],
  ])('%j of %j is %s', (test, input, expected) => {
    expect(holds(test, input)).toBe(expected)
  })

  it('fails on a variable that is not there, unless asked whether it is', () => {
    expect(() => holds({ Variable: '$.x', NumericEquals: 1 }, {})).toThrow(
      "Invalid path '$.x': The choice state's condition path references an invalid value.",
    )
    expect(() => holds({ Variable: '$', NumericEqualsPath: '$.x' }, 1)).toThrow(/Invalid path/)
  })

  it('looks no further than it needs to', () => {
    const guarded = {
      And: [
        { Variable: '$.x', IsPresent: true },
        { Variable: '$.x', NumericEquals: 1 },
      ],
    }
    expect(holds(guarded, {})).toBe(false)
  })
})
