import type { Scope, StateNode } from './machine.ts'

/** The part of a scope that runs only after something failed. */
export interface FailurePaths {
  /** Where catchers lead: the first states of the failure paths. */
  readonly handlers: ReadonlySet<StateNode>
  /** The handlers and what follows them, up to where a path joins the normal course again. */
  readonly region: ReadonlySet<StateNode>
}

/**
 * A catcher's target handles a failure, unless the normal course also goes there by
 * Next: that is a common last step, or a failure that is deliberately passed over.
 * A Choice that leads to it sends a failure there that the data tells of.
 */
export const findFailurePaths = (scope: Scope): FailurePaths => {
  const states = scope.states
  const handlers = new Set<StateNode>()
  for (const state of states.values()) {
    for (const edge of state.edges) {
      const target = edge.kind === 'catch' ? states.get(edge.to) : undefined
      if (target !== undefined) handlers.add(target)
    }
  }
  for (;;) {
    const main = reach(scope, [scope.startAt], handlers, false)
    const joined = [...main].flatMap(state =>
      state.edges
        .filter(edge => edge.kind === 'next')
        .map(edge => states.get(edge.to))
        .filter(target => target !== undefined && handlers.has(target)),
    )
    if (joined.length === 0) {
      const after = reach(
        scope,
        [...handlers].map(state => state.name),
        new Set(),
        true,
      )
      return { handlers, region: new Set([...after].filter(state => !main.has(state))) }
    }
    for (const target of joined) handlers.delete(target as StateNode)
  }
}

const reach = (
  scope: Scope,
  from: readonly string[],
  stopAt: ReadonlySet<StateNode>,
  alsoCatch: boolean,
): ReadonlySet<StateNode> => {
  const reached = new Set<StateNode>()
  const queue = [...from]
  while (queue.length > 0) {
    const state = scope.states.get(queue.pop() as string)
    if (state === undefined || reached.has(state) || stopAt.has(state)) continue
    reached.add(state)
    for (const edge of state.edges) if (alsoCatch || edge.kind !== 'catch') queue.push(edge.to)
  }
  return reached
}
