import { isTaskError, ThrottlingException, toTaskError } from '@stepwright/errors'
import { backoffMs, type Sleep } from '@stepwright/errors/retry'

export interface Backoff {
  /** How often in a row a call may get nothing done before it fails with ThrottlingException. */
  readonly maxAttempts: number
  readonly baseDelayMs: number
  readonly maxDelayMs: number
  readonly sleep: Sleep
  readonly random: () => number
}

/**
 * Sends a batch until DynamoDB has taken all of it. The SDK does not send again what a batch call
 * hands back.
 * @param send returns what was not processed
 */
export async function sendWhole<T>(
  batch: readonly T[],
  send: (batch: readonly T[]) => Promise<readonly T[]>,
  { maxAttempts, baseDelayMs, maxDelayMs, sleep, random }: Backoff,
): Promise<void> {
  let left = batch
  for (let futile = 0; ; ) {
    const before = left.length
    let cause: unknown
    try {
      left = await send(left)
    } catch (error) {
      if (!isTaskError(toTaskError(error), ThrottlingException)) throw error
      cause = error
    }
    if (left.length === 0) return
    futile = left.length < before ? 0 : futile + 1
    if (futile >= maxAttempts) {
      throw new ThrottlingException(`DynamoDB took none of ${left.length} items in ${futile} attempts`, {
        cause,
      })
    }
    await sleep(backoffMs(futile + 1, { firstMs: baseDelayMs, maxMs: maxDelayMs, random }))
  }
}

export function inBatches<T>(items: readonly T[], size: number): (readonly T[])[] {
  const batches: (readonly T[])[] = []
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size))
  return batches
}
