import { type Sleep, sleep as sleepFor } from '@stepwright/errors/retry'

export interface RenewOptions {
  readonly lockMs: number
  /** May fail: whoever publishes asks whose the lock is. */
  readonly renew: () => Promise<unknown>
  /** @default setTimeout */
  readonly sleep?: Sleep
}

/** Renews a lock three times as often as needed, until it is disposed: a job keeps its partition while it works. */
export function renewWhileWorking({ lockMs, renew, sleep = sleepFor }: RenewOptions): Disposable {
  const ended = new AbortController()
  const work = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await sleep(lockMs / 3, ended.signal)
      await renew().catch(() => {})
    }
  }
  // It ends by the rejection of its sleep.
  work().catch(() => {})
  return { [Symbol.dispose]: () => ended.abort() }
}
