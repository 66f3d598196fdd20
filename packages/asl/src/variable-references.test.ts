import { describe, expect, it } from 'vitest'
import { findVariableReferences } from './index.ts'

describe('findVariableReferences', () => {
  it('finds the variables that states read, in both query languages and inside of other states', () => {
    const definition = {
      StartAt: 'Set',
      States: {
        Set: { Type: 'Pass', Assign: { 'a.$': '$.a', b: 1 }, Next: 'Choose' },
        Choose: {
          Type: 'Choice',
          Choices: [{ Variable: '$a.kind', StringEqualsPath: '$b', Next: 'Each' }],
          Default: 'Each',
        },
        Each: {
          Type: 'Map',
          ItemsPath: '$a.items',
          ItemProcessor: {
            StartAt: 'One',
            States: {
              One: {
                Type: 'Pass',
                QueryLanguage: 'JSONata',
                Output: '{% ($own := $count($a); $exists($c) ? $own + $states.input : $sum($b)) %}',
                End: true,
              },
            },
          },
          Next: 'Format',
        },
        Format: {
          Type: 'Pass',
          Parameters: { 'text.$': "States.Format('{} {}', $.x, States.ArrayLength($d))", note: '$e' },
          End: true,
        },
      },
    }
    const found = findVariableReferences(definition)
    expect(Object.keys(found).sort()).toEqual(['Choose', 'Each', 'Format', 'One'])
    expect([found['Choose'], found['Each'], found['Format']]).toEqual([['a', 'b'], ['a'], ['d']])
    expect([...(found['One'] ?? [])].sort()).toEqual(['a', 'b', 'c'])
  })

  it('finds none in what is no state machine', () => {
    expect(findVariableReferences({ StartAt: 'A' })).toEqual({})
    expect(findVariableReferences(null)).toEqual({})
  })
})
