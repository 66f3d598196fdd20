import { describe, expect, it } from 'vitest'
import { countTransitions } from './transitions.ts'

function count(...types: string[]): number {
  return countTransitions(types.map(type => ({ type })))
}

describe('countTransitions', () => {
  it('counts each state, each retry and the end', () => {
    expect(count('ExecutionStarted', 'PassStateEntered', 'PassStateExited', 'ExecutionSucceeded')).toBe(2)
    expect(
      count(
        'TaskStateEntered',
        'TaskScheduled',
        'TaskFailed',
        'TaskScheduled',
        'TaskSucceeded',
        'TaskStateExited',
      ),
    ).toBe(2)
    expect(
      count(
        'MapStateEntered',
        'MapStateStarted',
        'MapIterationStarted',
        'PassStateEntered',
        'MapStateFailed',
        'MapStateStarted',
      ),
    ).toBe(3)
  })

  it('counts what a redrive tries again, and one end', () => {
    const failed = ['TaskStateEntered', 'LambdaFunctionScheduled', 'LambdaFunctionFailed', 'ExecutionFailed']
    expect(count(...failed)).toBe(2)
    expect(count(...failed, 'ExecutionRedriven', 'LambdaFunctionScheduled')).toBe(2)
    expect(count(...failed, 'ExecutionRedriven', 'LambdaFunctionScheduled', 'ExecutionSucceeded')).toBe(3)
  })
})
