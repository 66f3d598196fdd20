import type { Thread } from '../execution/thread.ts'
import { heartbeatFailure, Interrupted, timeoutFailure } from '../failures/state-failure.ts'
import type { Json } from '../json.ts'
import type { Terms } from './terms.ts'

export interface TokenWait {
  /** When the task was scheduled, which its timeout counts from. @default now */
  readonly scheduledMs: number | undefined
  /** Heartbeats are due from now on, or only once a worker has started. */
  readonly beatsFrom: 'now' | 'start'
  readonly onStart?: (workerName: string | undefined) => void
}

/** Waits until somebody reports on the token. The clock is free to move meanwhile. */
export function awaitToken(
  thread: Thread,
  token: string,
  { timeoutMs, heartbeatMs }: Terms,
  { scheduledMs, beatsFrom, onStart }: TokenWait,
): { readonly result: Promise<Json>; readonly close: () => void } {
  const { clock, taskTokens } = thread.execution.engine
  const endings: (() => void)[] = [() => taskTokens.close(token)]
  const close = (): void => {
    for (const end of endings.splice(0)) end()
    stopHeartbeat()
  }
  let stopHeartbeat: () => void = () => undefined
  const result = new Promise<Json>((resolve, reject) => {
    const fail = (error: unknown): void => {
      close()
      reject(error)
    }
    const beat = (): void => {
      stopHeartbeat()
      if (heartbeatMs !== undefined)
        stopHeartbeat = clock.at(clock.now() + heartbeatMs, () => fail(heartbeatFailure()))
    }
    if (timeoutMs !== undefined) {
      const deadlineMs = (scheduledMs ?? clock.now()) + timeoutMs
      endings.push(clock.at(deadlineMs, () => fail(timeoutFailure())))
    }
    const waiting = { interrupt: () => fail(new Interrupted()) }
    thread.cancellation.listen(waiting)
    endings.push(() => thread.cancellation.ignore(waiting))
    if (beatsFrom === 'now') beat()
    taskTokens.open(token, {
      succeed: output => {
        close()
        resolve(output)
      },
      fail,
      beat,
      start: workerName => {
        onStart?.(workerName)
        beat()
      },
    })
  })
  return { result, close }
}
