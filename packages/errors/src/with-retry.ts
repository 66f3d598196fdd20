import { defineRetryableError } from './define-error.ts'
import type { RetryPolicy } from './retry-policy.ts'
import type { RetryableErrorClass } from './task-error.ts'

/**
 * The same errors by name, retried by another policy: for the states of one task, where the errors of the taxonomy are
 * to be waited out longer or given up earlier than usual.
 * @throws TypeError for a policy that Step Functions would not take
 */
export function withRetry(
  classes: readonly RetryableErrorClass[],
  retry: RetryPolicy,
): readonly RetryableErrorClass[] {
  return classes.map(({ errorName, httpStatus }) => defineRetryableError(errorName, { httpStatus, retry }))
}
