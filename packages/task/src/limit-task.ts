import { startDeadline } from './deadline.ts'
import type { AnyTask } from './task.ts'
import { type GivenContext, toTaskContext } from './task-context.ts'

/** The task with a time limit of its own, the smaller one where it has one already; itself where there is none. */
export function limitTask<T extends AnyTask>(task: T, maxSeconds: number | undefined): T {
  if (maxSeconds === undefined) return task
  if (!(maxSeconds > 0 && Number.isFinite(maxSeconds))) {
    throw new TypeError(`the maxSeconds of ${task.name} must be a number above 0, not ${maxSeconds}`)
  }
  const run: AnyTask['run'] = (input, ports, context = {}) =>
    limitTime(context, maxSeconds, limited => task.run(input, ports, limited))
  return { ...task, maxSeconds: Math.min(maxSeconds, task.maxSeconds ?? maxSeconds), run }
}

async function limitTime<T>(
  given: GivenContext,
  maxSeconds: number,
  work: (context: GivenContext) => Promise<T>,
): Promise<T> {
  const { signal, now, remainingMs } = toTaskContext(given)
  const end = now() + maxSeconds * 1000
  const deadline = startDeadline(() => maxSeconds * 1000)
  try {
    return await deadline.race(
      work({
        ...given,
        signal: AbortSignal.any([signal, deadline.signal]),
        remainingMs: () => Math.min(remainingMs(), Math.max(0, end - now())),
      }),
    )
  } catch (error) {
    throw deadline.passed ?? error
  } finally {
    deadline.clear()
  }
}
