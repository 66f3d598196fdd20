import type { Visit } from './visits.ts'

/**
 * State transitions as AWS bills a Standard workflow: one into each state, one more for each retry, one to the end.
 * Children of Distributed Maps are executions of their own, and bill their own.
 */
export function countTransitions(visits: readonly Visit[], hasEnded: boolean): number {
  const retries = visits.reduce((sum, { attempts }) => sum + Math.max(0, attempts.length - 1), 0)
  return visits.length + retries + (hasEnded ? 1 : 0)
}
