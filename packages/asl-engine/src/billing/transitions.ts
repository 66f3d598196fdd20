/**
 * State transitions as AWS bills a Standard workflow: one into each state, one more for each retry, one to the end.
 * Children of Distributed Maps are executions of their own, and bill their own.
 */
export function countTransitions(events: Iterable<{ readonly type?: string | undefined }>): number {
  let entered = 0
  let tried = 0
  let tries = 0
  let hasEnded = false
  for (const { type = '' } of events) {
    if (type.endsWith('StateEntered')) {
      entered += 1
      if (/^(Task|Map|Parallel)/.test(type)) tried += 1
    } else if (/Scheduled$|^(Map|Parallel)StateStarted$/.test(type)) tries += 1
    else if (type.startsWith('Execution')) hasEnded = /(Succeeded|Failed|Aborted|TimedOut)$/.test(type)
  }
  return entered + Math.max(0, tries - tried) + (hasEnded ? 1 : 0)
}
