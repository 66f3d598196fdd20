import { isTaskError, ThrottlingException, toTaskError } from '@stepwright/errors'
import { classifyAws } from '@stepwright/errors/aws'
import { backoffMs, type Sleep } from '@stepwright/errors/retry'

export interface Backoff {
  /** How often in a row a call may be throttled before it fails with ThrottlingException. */
  readonly maxAttempts: number
  readonly sleep: Sleep
  readonly random: () => number
}

/** Repeats a call while DynamoDB throttles it. */
export async function retryThrottled<T>(
  send: () => Promise<T>,
  { maxAttempts, sleep, random }: Backoff,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (cause) {
      if (!isTaskError(toTaskError(cause, classifyAws), ThrottlingException)) throw cause
      if (attempt >= maxAttempts) {
        throw new ThrottlingException(`DynamoDB throttled ${attempt} attempts in a row`, { cause })
      }
    }
    await sleep(backoffMs(attempt + 1, { firstMs: 25, maxMs: 3000, random }))
  }
}
