import { createTaskTokens, StateFailure, type TaskTokens, type WaitingTask } from '@stepwright/asl-engine'
import { ServiceError } from '@stepwright/local-server'

/** Tokens as SendTaskSuccess, SendTaskFailure and SendTaskHeartbeat see them. */
export interface ApiTaskTokens extends TaskTokens {
  /** The task that waits under the token, or AWS's refusal. */
  readonly expect: (token: string) => WaitingTask
}

/** So many tokens are remembered after their task has ended. */
const remembered = 10_000

export function createApiTaskTokens(): ApiTaskTokens {
  const tokens = createTaskTokens()
  const ended = new Set<string>()
  return {
    ...tokens,
    close: token => {
      tokens.close(token)
      ended.add(token)
      const [oldest] = ended
      if (ended.size > remembered && oldest !== undefined) ended.delete(oldest)
    },
    expect: token => {
      const task = tokens.get(token)
      if (task !== undefined) return task
      if (ended.has(token)) {
        throw new ServiceError('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'")
      }
      throw new ServiceError('InvalidToken', "Invalid Token: 'Invalid token'")
    },
  }
}

export function taskFailure(error: string | undefined, cause: string | undefined): StateFailure {
  return new StateFailure(error, cause)
}
