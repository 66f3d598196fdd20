import { classifyAws } from './aws.ts'
import { classifyPostgres } from './postgres.ts'
import { type RetryPolicy, retryDelaySeconds } from './retry-policy.ts'
import { isTaskError, type TaskErrorClass } from './task-error.ts'
import { toTaskError } from './to-task-error.ts'

/** What a retry strategy of AWS's durable execution SDK returns. */
export type DurableRetryDecision =
  | { readonly shouldRetry: false }
  | { readonly shouldRetry: true; readonly delay: { readonly seconds: number } }

/**
 * A `retryStrategy` for a durable step: retries each of the declared errors as its class says, and nothing
 * else. `attempt` counts the attempts made so far, as the SDK does.
 */
export function toDurableRetryStrategy(
  errors: readonly TaskErrorClass[],
  random: () => number = Math.random,
): (error: unknown, attempt: number) => DurableRetryDecision {
  return (thrown, attempt) => {
    const error = toTaskError(thrown, classifyAws, classifyPostgres)
    const policy: RetryPolicy | undefined = errors.find(errorClass => isTaskError(error, errorClass))?.retry
    if (policy === undefined || attempt > policy.maxAttempts) return { shouldRetry: false }
    const seconds = error.retryAfterSeconds ?? retryDelaySeconds(policy, attempt, random)
    return { shouldRetry: true, delay: { seconds: Math.max(1, Math.ceil(seconds)) } }
  }
}
