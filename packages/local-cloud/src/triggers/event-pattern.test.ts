import { describe, expect, it } from 'vitest'
import { matchesPattern } from './event-pattern.ts'

const event = {
  source: 'aws.states',
  'detail-type': 'Step Functions Execution Status Change',
  detail: { status: 'FAILED', name: 'import-1' },
}

describe('matchesPattern', () => {
  it.each([
    ['an empty pattern', {}, true],
    ['one of several values', { source: ['aws.s3', 'aws.states'] }, true],
    ['another value', { source: ['aws.s3'] }, false],
    ['a field inside', { detail: { status: ['FAILED', 'TIMED_OUT'] } }, true],
    ['a field inside of another value', { source: ['aws.states'], detail: { status: ['SUCCEEDED'] } }, false],
    ['a field that is not there', { detail: { error: ['x'] } }, false],
    ['a field inside of what is not there', { detail: { deep: { er: ['x'] } } }, false],
  ])('takes %s as EventBridge does', (_what, pattern, expected) => {
    expect(matchesPattern(pattern, event)).toBe(expected)
  })
})
