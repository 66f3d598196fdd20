import { describe, expect, it } from 'vitest'
import { DatabaseConnectionError, isTaskError, ThrottlingException } from './index.ts'
import { withRetry } from './retry.ts'

const policy = { intervalSeconds: 2, maxAttempts: 30, backoffRate: 2, maxDelaySeconds: 300 }

describe('withRetry', () => {
  it('keeps names, kinds and HTTP statuses, and changes the policy alone', () => {
    const classes = [DatabaseConnectionError, ThrottlingException]
    const changed = withRetry(classes, policy)
    expect(
      changed.map(({ errorName, kind, httpStatus, retry }) => ({ errorName, kind, httpStatus, retry })),
    ).toEqual(
      classes.map(({ errorName, kind, httpStatus }) => ({ errorName, kind, httpStatus, retry: policy })),
    )
    expect(DatabaseConnectionError.retry).not.toEqual(policy)
  })

  it('recognises an error of the first class as one of the second', () => {
    const [Patient] = withRetry([DatabaseConnectionError], policy)
    expect(isTaskError(new DatabaseConnectionError('gone'), Patient as never)).toBe(true)
  })

  it('refuses a policy that Step Functions would not take', () => {
    expect(() => withRetry([DatabaseConnectionError], { ...policy, backoffRate: 0.5 })).toThrow(TypeError)
  })
})
