/** Redrives by the tokens of their callers, so that one that is asked for twice is done once. */
export interface Redrives {
  /** When the execution was redriven: just now, or by the same token before. */
  readonly once: (executionArn: string, clientToken: string | undefined, redrive: () => number) => number
}

/** So long AWS knows a token. */
const tokenMs = 15 * 60_000

export function createRedrives(now: () => number): Redrives {
  const done = new Map<
    string,
    { readonly token: string; readonly atMs: number; readonly redriveMs: number }
  >()
  return {
    once: (executionArn, clientToken, redrive) => {
      const nowMs = now()
      for (const [arn, { atMs }] of done) if (nowMs - atMs > tokenMs) done.delete(arn)
      const last = done.get(executionArn)
      if (clientToken !== undefined && last?.token === clientToken) return last.redriveMs
      const redriveMs = redrive()
      if (clientToken !== undefined) done.set(executionArn, { token: clientToken, atMs: nowMs, redriveMs })
      return redriveMs
    },
  }
}
