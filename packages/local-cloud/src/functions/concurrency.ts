/** What Lambda answers while a function already runs as often as its reserved concurrency allows. */
export class FunctionThrottledError extends Error {
  override readonly name = 'TooManyRequestsException'
  readonly reason = 'ReservedFunctionConcurrentInvocationLimitExceeded'

  constructor() {
    super('Rate Exceeded.')
  }
}

export type LimitConcurrency = <T>(functionName: string, call: () => Promise<T>) => Promise<T>

/** Refuses a call beyond the limit of its function, as Lambda does: no call waits for another. */
export function limitConcurrency(limitOf: (functionName: string) => number | undefined): LimitConcurrency {
  const running = new Map<string, number>()
  return async (functionName, call) => {
    const before = running.get(functionName) ?? 0
    if (before >= (limitOf(functionName) ?? Number.POSITIVE_INFINITY)) throw new FunctionThrottledError()
    running.set(functionName, before + 1)
    try {
      return await call()
    } finally {
      running.set(functionName, (running.get(functionName) ?? 1) - 1)
    }
  }
}
