import type { ErrorContract, TaskContract } from '@stepwright/task'
import type { FindContract } from '../contract/contract.ts'
import { matchesError } from '../facts/errors.ts'
import type { Handler, Scope, StateNode } from '../machine/machine.ts'
import { integrationOf } from '../machine/resource.ts'

/** The declared errors that a state can end with. */
export interface Raised {
  readonly errors: ReadonlyMap<string, ErrorContract>
  /** `true` when it can also raise errors that nobody declared to the checker. */
  readonly open: boolean
}

const anythingRaised: Raised = { errors: new Map(), open: true }
const nothingRaised: Raised = { errors: new Map(), open: false }

export type FindRaised = (state: StateNode) => Raised

/** Finds what a state raises before its own Retry and Catch: a Task by its contract, Map and Parallel by their inside. */
export function createFindRaised(findContract: FindContract): FindRaised {
  const known = new Map<StateNode, Raised>()
  const declared = new Map<TaskContract, Raised['errors']>()

  const ofState = (state: StateNode): Raised => {
    if (state.type === 'Task') {
      const contract = findContract(state)
      if (contract === undefined) return anythingRaised
      // whoever answers a callback names the error
      const open = integrationOf(state.fields['Resource']).wait === 'callback'
      const errors = declared.get(contract) ?? new Map(contract.errors.map(error => [error.name, error]))
      declared.set(contract, errors)
      return { errors, open }
    }
    if (state.type === 'Fail') return isNameWritten(state) ? nothingRaised : anythingRaised
    if (state.inner.length === 0) return nothingRaised
    const errors = new Map<string, ErrorContract>()
    let open = false
    // a Distributed Map's children are executions of their own: their errors do not come out by name
    for (const scope of state.inner.filter(inner => inner.kind !== 'distributed')) {
      for (const [name, error] of escaping(scope).errors) errors.set(name, error)
      open ||= escaping(scope).open
    }
    return { errors, open }
  }

  const escaping = (scope: Scope): Raised => {
    const errors = new Map<string, ErrorContract>()
    let open = false
    for (const state of scope.states.values()) {
      const raised = find(state)
      for (const [name, error] of raised.errors) {
        if (firstMatch(state.catchers, name) === undefined) errors.set(name, error)
      }
      open ||= raised.open && firstMatch(state.catchers, 'anything at all') === undefined
    }
    return { errors, open }
  }

  const find: FindRaised = state => {
    const already = known.get(state)
    if (already !== undefined) return already
    const raised = ofState(state)
    known.set(state, raised)
    return raised
  }
  return find
}

/** Whether the name that a Fail state raises is in the definition, where every handler may use it. */
function isNameWritten({ fields: { Error: name, ErrorPath } }: StateNode): boolean {
  return ErrorPath === undefined && !(typeof name === 'string' && /^\{%|\$\{/.test(name))
}

/** The retrier or catcher that takes an error: the first that names it. */
export function firstMatch<H extends Handler>(handlers: readonly H[], name: string): H | undefined {
  for (const handler of handlers)
    for (const pattern of handler.errors) if (matchesError(pattern, name)) return handler
  return undefined
}

/** How often a retrier tries again; Step Functions' default is 3. */
export function maxAttemptsOf(retrier: Handler): number {
  const attempts = retrier.fields['MaxAttempts']
  return typeof attempts === 'number' ? attempts : 3
}

/** Whether an error is tried again: by the state itself, or by a Parallel or inline Map around it that it gets out to. */
export function isRetried(state: StateNode, name: string): boolean {
  const retrier = firstMatch(state.retriers, name)
  if (retrier !== undefined && maxAttemptsOf(retrier) > 0) return true
  const { owner, kind } = state.scope
  const stays =
    owner === undefined || kind === 'distributed' || firstMatch(state.catchers, name) !== undefined
  return !stays && isRetried(owner, name)
}
