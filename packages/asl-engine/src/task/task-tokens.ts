import type { StateFailure } from '../failures/state-failure.ts'
import type { Json } from '../json.ts'

/** A task that waits for somebody to report on it. */
export interface WaitingTask {
  readonly succeed: (output: Json) => void
  readonly fail: (failure: StateFailure) => void
  readonly beat: () => void
  readonly start: (workerName: string | undefined) => void
}

/** The tasks that wait for SendTaskSuccess, SendTaskFailure or SendTaskHeartbeat, by their token. */
export interface TaskTokens {
  readonly open: (token: string, task: WaitingTask) => void
  readonly close: (token: string) => void
  /** `undefined` if no task waits under this token. */
  readonly get: (token: string) => WaitingTask | undefined
}

export function createTaskTokens(): TaskTokens {
  const waiting = new Map<string, WaitingTask>()
  return {
    open: (token, task) => waiting.set(token, task),
    close: token => waiting.delete(token),
    get: token => waiting.get(token),
  }
}
