import { describe, expect, it } from 'vitest'
import { isPlaceholder, substitute, substituteAll, substitutionsFor } from './placeholder.ts'

describe('substitute', () => {
  it('puts values in place of names, and leaves names that have none', () => {
    expect(substitute(`\${Table}-\${Other}`, { Table: 'jobs' })).toBe(`jobs-\${Other}`)
    expect(substitute(`\${toString}`, {})).toBe(`\${toString}`)
  })

  it('takes an exclamation mark for a name that is meant as it stands', () => {
    expect(substitute(`\${!Name}`, { Name: 'x' })).toBe(`\${Name}`)
  })

  it('knows the way in which Serverless writes names', () => {
    expect(substitute('arn:#{AWS::Partition}:#{Table}', { 'AWS::Partition': 'aws' })).toBe('arn:aws:#{Table}')
    expect([isPlaceholder('#{HelloFunction}'), isPlaceholder('#1')]).toEqual([true, false])
  })

  it('takes a dollar in a value as it is', () => {
    expect(substitute(`\${Name}`, { Name: '$&$1' })).toBe('$&$1')
  })
})

describe('substitutionsFor', () => {
  it('takes a placeholder named like a function for that function, and knows the pseudo parameters', () => {
    const values = substitutionsFor(['Validate', 'Split'], { Split: 'split-v2' })
    expect(
      substituteAll({ a: [`\${Validate}`, 1], b: `arn:\${AWS::Partition}:lambda:\${Split}` }, values),
    ).toEqual({ a: ['Validate', 1], b: 'arn:aws:lambda:split-v2' })
  })
})
