import { type Edge, type Scope, type StateNode, statesOf } from './machine.ts'

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
export function findFailurePaths(scope: Scope): FailurePaths {
  const states = scope.states
  const handlers = new Set<StateNode>()
  for (const state of states.values()) {
    for (const edge of state.edges) {
      const target = isFailure(state, edge) ? states.get(edge.to) : undefined
      if (target !== undefined) handlers.add(target)
    }
  }
  if (handlers.size === 0) return noFailurePaths
  for (;;) {
    const main = reach(scope, [scope.startAt], handlers)
    const before = handlers.size
    for (const state of main) {
      for (const { kind, to } of state.edges) {
        const target = kind === 'next' ? states.get(to) : undefined
        if (target !== undefined) handlers.delete(target)
      }
    }
    if (handlers.size < before) continue
    const names = [...handlers].map(state => state.name)
    const region = reach(scope, names, noFailurePaths.handlers)
    for (const state of main) region.delete(state)
    return { handlers, region }
  }
}

const noFailurePaths: FailurePaths = { handlers: new Set(), region: new Set() }

/** Answers of a service that a workflow asks for on purpose: it is there already, it is not there yet. */
const expectedAnswer =
  /\.\w*(ConditionalCheckFailed|AlreadyExists|Duplicate|NotFound|NoSuch|Running|Conflict|InUse)/

/** Whether a catcher's edge is taken because something went wrong, and not by design. */
function isFailure(state: StateNode, edge: Edge): boolean {
  if (edge.kind !== 'catch') return false
  const names = state.catchers[edge.index]?.errors ?? []
  const raised = new Set<unknown>()
  for (const scope of state.inner)
    for (const inner of statesOf(scope)) if (inner.type === 'Fail') raised.add(inner.fields['Error'])
  return !names.every(name => expectedAnswer.test(name) || raised.has(name))
}

function reach(scope: Scope, from: readonly string[], stopAt: ReadonlySet<StateNode>): Set<StateNode> {
  const reached = new Set<StateNode>()
  const queue = [...from]
  while (queue.length > 0) {
    const state = scope.states.get(queue.pop() as string)
    if (state === undefined || reached.has(state) || stopAt.has(state)) continue
    reached.add(state)
    for (const edge of state.edges) queue.push(edge.to)
  }
  return reached
}
