import type { FunctionCall, StartAppOptions } from '@stepwright/local-cloud'

type StatusChange = Parameters<NonNullable<StartAppOptions['onStatusChange']>>[0]

/** What happens in an app, for a console that is opened then or later: give its listeners to `startApp`. */
export interface ConsoleFeed {
  readonly onStatusChange: (event: StatusChange) => void
  readonly onCall: (call: FunctionCall) => void
  /** The latest calls of functions. */
  readonly calls: readonly FunctionCall[]
  subscribe(listener: FeedListener): () => void
}

export interface FeedListener {
  onStatusChange?(event: StatusChange): void
  onCall?(call: FunctionCall): void
}

const maxCalls = 5_000

export function createConsoleFeed(): ConsoleFeed {
  const calls: FunctionCall[] = []
  const listeners = new Set<FeedListener>()
  return {
    calls,
    onStatusChange(event) {
      for (const listener of listeners) listener.onStatusChange?.(event)
    },
    onCall(call) {
      calls.push(call)
      if (calls.length > maxCalls) calls.splice(0, maxCalls / 10)
      for (const listener of listeners) listener.onCall?.(call)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
