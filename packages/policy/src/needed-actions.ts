import type { AnyTask } from '@stepwright/task'

/** What the task of a function says it needs. */
export interface NeededActions {
  readonly actions: ReadonlySet<string>
  /** False where it, or one that it dispatches to, does not say. */
  readonly complete: boolean
}

export function neededActions(task: AnyTask): NeededActions {
  const tasks = task.routes === undefined ? [task] : Object.values(task.routes)
  return {
    actions: new Set(
      tasks.flatMap(({ needs }) => needs?.permissions ?? []).flatMap(({ actions }) => actions),
    ),
    complete: tasks.every(({ needs, routes }) => needs !== undefined && routes === undefined),
  }
}
