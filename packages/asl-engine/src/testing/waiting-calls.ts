import { isThenable } from '../task/open-call.ts'
import type { TaskTokens } from '../task/task-tokens.ts'

/** Which states wait for an answer: of a task, or by a task token. */
export interface WaitingCalls {
  /** The tokens of the execution, as the engine is to see them. */
  readonly taskTokens: TaskTokens
  /** Says which state waits for a token; `onClose` is called as soon as it does not wait any more. */
  readonly name: (token: string | undefined, state: string, onClose?: () => void) => void
  /** Watches an answer until it has come. */
  readonly watch: (state: string, answer: unknown) => void
  /** The states in the order in which they began to wait, each once. */
  readonly states: () => readonly string[]
}

export function createWaitingCalls(taskTokens: TaskTokens): WaitingCalls {
  const states = new Map<string, string>()
  const closings = new Map<string, () => void>()
  const waiting = new Set<string>()
  const answers = new Set<{ readonly state: string }>()
  return {
    taskTokens: {
      get: taskTokens.get,
      open: (token, task) => {
        waiting.add(token)
        taskTokens.open(token, task)
      },
      close: token => {
        waiting.delete(token)
        states.delete(token)
        taskTokens.close(token)
        closings.get(token)?.()
        closings.delete(token)
      },
    },
    name: (token, state, onClose) => {
      if (!token) return
      states.set(token, state)
      if (onClose !== undefined) closings.set(token, onClose)
    },
    watch: (state, answer) => {
      if (!isThenable(answer)) return
      const call = { state }
      const forget = (): void => {
        answers.delete(call)
      }
      answers.add(call)
      answer.then(forget, forget)
    },
    states: () => [
      ...new Set([
        ...[...waiting].flatMap(token => states.get(token) ?? []),
        ...[...answers].map(({ state }) => state),
      ]),
    ],
  }
}
