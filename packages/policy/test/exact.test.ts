import { describe, expect, it } from 'vitest'
import { exactDefinitions } from './exact-definitions.ts'
import { derivedLines, neededLines } from './exactness.ts'

describe('workflowPolicy', () => {
  it('is held against 30 definitions or more', () => {
    expect(exactDefinitions.length).toBeGreaterThanOrEqual(30)
  })

  it.each(exactDefinitions)('allows what is needed and no more: $name', each => {
    expect(derivedLines(each)).toEqual(neededLines(each))
  })
})
