import { randomUUID } from 'node:crypto'
import type { FunctionCallByState } from '@stepwright/local-step-functions'
import type { CallOptions } from '../functions/function-host.ts'

/** A call of a function, or of a stand-in, that has been answered. */
export interface FunctionCall {
  readonly requestId: string
  readonly functionName: string
  readonly startMs: number
  readonly endMs: number
  readonly error?: { readonly name: string; readonly message: string }
  /** The end of what it printed. */
  readonly log: string
  /** Which state called it, if one did. */
  readonly state?: Pick<FunctionCallByState, 'executionArn' | 'stateName' | 'retryCount'>
}

type Invoke = (how: CallOptions) => Promise<unknown>

export interface FunctionCalls {
  /** Remembers which state a request comes from. */
  hear(call: FunctionCallByState): void
  /** Calls the function and tells the listener when it has answered. */
  run(functionName: string, how: CallOptions, invoke: Invoke): Promise<unknown>
}

/** Tells `onCall` of every call; without a listener functions are called as they are. */
export function createFunctionCalls(onCall: ((call: FunctionCall) => void) | undefined): FunctionCalls {
  const states = new Map<string, FunctionCall['state']>()
  return {
    hear({ requestId, executionArn, stateName, retryCount }) {
      if (onCall) states.set(requestId, { executionArn, stateName, retryCount })
    },
    async run(functionName, how, invoke) {
      if (!onCall) return invoke(how)
      const requestId = how.requestId ?? randomUUID()
      const startMs = Date.now()
      const state = states.get(requestId)
      states.delete(requestId)
      let log = ''
      let failure: Error | undefined
      const onPrinted = (printed: string): void => {
        log = printed
        how.onPrinted?.(printed)
      }
      try {
        return await invoke({ ...how, requestId, onPrinted })
      } catch (error) {
        failure = error as Error
        throw error
      } finally {
        onCall({
          requestId,
          functionName,
          startMs,
          endMs: Date.now(),
          log,
          ...(failure && { error: { name: failure.name, message: failure.message } }),
          ...(state && { state }),
        })
      }
    },
  }
}
