import { chaosRounds } from '@stepwright/bench/chaos'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { InvalidPatternError, matchesPattern, type Pattern } from '../src/pattern/event-pattern.ts'
import { patternAndEvent } from './random-pairs.ts'
import { referenceMatches } from './reference-matcher.ts'

it('answers as the reference matcher does, for any pattern and event', { timeout: 0 }, () => {
  const answers = { matches: 0, differs: 0, refused: 0 }
  fc.assert(
    fc.property(patternAndEvent, ({ pattern, event }) => {
      const answer = answerTo(pattern, event)
      expect(answer).toBe(referenceMatches(pattern as never, event as never))
      if (answer === undefined) answers.refused += 1
      else answers[answer ? 'matches' : 'differs'] += 1
    }),
    { numRuns: chaosRounds(20) * 100 },
  )
  const all = answers.matches + answers.differs + answers.refused
  // Otherwise the pairs would say nothing.
  expect(answers.matches / all).toBeGreaterThan(0.1)
  expect(answers.refused / all).toBeGreaterThan(0.02)
})

/** `undefined`: the pattern is refused. */
function answerTo(pattern: Pattern, event: unknown): boolean | undefined {
  try {
    return matchesPattern(pattern, event)
  } catch (error) {
    if (error instanceof InvalidPatternError) return undefined
    throw error
  }
}
