/** Tokens that come back at a steady rate up to a limit: how AWS throttles. */
export interface TokenBucket {
  /** Takes a token if there is one. */
  readonly take: () => boolean
  /** Takes a token now or in the future; how long until it is there. */
  readonly reserveMs: () => number
}

export interface TokenBucketOptions {
  /** How many tokens there are at first and at most. */
  readonly size: number
  readonly refillPerSecond: number
}

export function createTokenBucket(
  { size, refillPerSecond }: TokenBucketOptions,
  now: () => number,
): TokenBucket {
  let tokens = size
  let countedMs = now()
  const refill = (): void => {
    const nowMs = now()
    tokens = Math.min(size, tokens + ((nowMs - countedMs) / 1000) * refillPerSecond)
    countedMs = nowMs
  }
  return {
    take: () => {
      refill()
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
    reserveMs: () => {
      refill()
      tokens -= 1
      return tokens >= 0 ? 0 : (-tokens / refillPerSecond) * 1000
    },
  }
}
