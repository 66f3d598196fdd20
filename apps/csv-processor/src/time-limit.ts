import type { CallLimits } from '@stepwright/batch-writer'
import type { TaskContext } from '@stepwright/task'

/**
 * The context's limits, and no longer than this. A state that gave up waiting must not be surprised by a
 * function that goes on: the function's own timeout is that of its slowest task.
 */
export function limitTime(
  { signal, remainingMs, now }: Pick<TaskContext, 'signal' | 'remainingMs' | 'now'>,
  seconds: number,
): CallLimits {
  const end = now() + seconds * 1000
  return {
    signal: AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]),
    remainingMs: () => Math.min(remainingMs(), Math.max(0, end - now())),
  }
}
