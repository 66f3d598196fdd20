import type { Parameters } from './request.ts'

/** One operation of the API; what it returns is the answer's body. The signal aborts when nobody waits any more. */
export type Operation = (parameters: Parameters, signal: AbortSignal) => Promise<object>

export type Operations = Readonly<Record<string, Operation>>

/** The protocol speaks of times in seconds. */
export function toSeconds(ms: number): number {
  return ms / 1000
}
