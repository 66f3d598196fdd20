export interface BackoffOptions {
  /** The wait before the first retry. */
  readonly firstMs: number
  readonly maxMs: number
  /** @default Math.random */
  readonly random?: () => number
}

/**
 * How long to wait before retry number `attempt` (1 is the first): twice as long each time, at most `maxMs`, and
 * somewhere between half of that and all of it, so that those who failed together do not come back together.
 */
export function backoffMs(attempt: number, { firstMs, maxMs, random = Math.random }: BackoffOptions): number {
  return Math.min(maxMs, firstMs * 2 ** (attempt - 1)) * (0.5 + random() / 2)
}
