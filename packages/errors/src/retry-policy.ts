/** The fields of an Amazon States Language retrier, in the units their names say. */
export interface RetryPolicy {
  readonly intervalSeconds: number
  /** Retries after the first attempt; 0 means never. */
  readonly maxAttempts: number
  readonly backoffRate: number
  readonly maxDelaySeconds?: number
  readonly jitter?: 'FULL' | 'NONE'
}

/** The usual policy: each wait is twice the one before. */
export function doubling(intervalSeconds: number, maxAttempts: number): RetryPolicy {
  return { intervalSeconds, maxAttempts, backoffRate: 2 }
}

/** How long to wait before retry number `attempt` (1 is the first), as Step Functions computes it. */
export function retryDelaySeconds(
  policy: RetryPolicy,
  attempt: number,
  random: () => number = Math.random,
): number {
  const backoff = policy.intervalSeconds * policy.backoffRate ** (attempt - 1)
  const delay = Math.min(backoff, policy.maxDelaySeconds ?? Number.POSITIVE_INFINITY)
  return policy.jitter === 'FULL' ? delay * random() : delay
}
