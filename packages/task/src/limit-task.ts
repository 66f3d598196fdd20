import { runInTime } from './deadline.ts'
import type { AnyTask } from './task.ts'
import { toTaskContext } from './task-context.ts'

/** The task with a time limit of its own, the smaller one where it has one already; itself where there is none. */
export function limitTask<T extends AnyTask>(task: T, maxSeconds: number | undefined): T {
  if (maxSeconds === undefined) return task
  const ms = maxSeconds * 1000
  if (!(ms > 0 && Number.isFinite(ms))) {
    throw new TypeError(`the maxSeconds of ${task.name} must be a number above 0, not ${maxSeconds}`)
  }
  const run: AnyTask['run'] = (input, ports, context) => {
    const { signal, now, remainingMs } = toTaskContext(context)
    const end = now() + ms
    return runInTime(
      () => ms,
      undefined,
      late =>
        task.run(input, ports, {
          ...context,
          signal: AbortSignal.any([signal, late]),
          remainingMs: () => Math.min(remainingMs(), Math.max(0, end - now())),
        }),
    )
  }
  return { ...task, maxSeconds: Math.min(maxSeconds, task.maxSeconds ?? maxSeconds), run }
}
