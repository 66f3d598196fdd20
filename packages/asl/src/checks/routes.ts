import { lambdaNamesToRetry, type Retried, reconcileRetry } from '../contract/retry.ts'
import { matchesError } from '../facts/errors.ts'
import type { Fix } from '../finding.ts'
import type { Json } from '../language.ts'
import { findFailurePaths } from '../machine/failure-paths.ts'
import {
  type Handler,
  type Scope,
  type StateNode,
  scopesOf,
  statesOf,
  toleranceFields,
} from '../machine/machine.ts'
import { isLambda } from '../machine/resource.ts'
import { under } from '../source/pointer.ts'
import { type CheckContext, listed } from './context.ts'
import { type FindRaised, firstMatch, isRetried, maxAttemptsOf } from './raised.ts'
import { retryFix } from './retry-fix.ts'

/** Every failure has a way, each retrier and catcher can match, and failure paths end as failures. */
export function checkRoutes(context: CheckContext, findRaised: FindRaised, catchExhausted: boolean): void {
  for (const state of statesOf(context.machine)) {
    if (state.retriers.length > 0) checkOrder(state.retriers, context, () => retryFix(state, context))
    if (state.catchers.length > 0) checkOrder(state.catchers, context, () => undefined)
  }
  for (const scope of scopesOf(context.machine)) checkFailures(scope, context, findRaised, catchExhausted)
}

function checkFailures(
  scope: Scope,
  context: CheckContext,
  findRaised: FindRaised,
  catchExhausted: boolean,
): void {
  const { handlers, region } = findFailurePaths(scope)
  for (const state of scope.states.values()) {
    if (state.type !== 'Task') continue
    const afterFailure = region.has(state) || handlers.has(state)
    if (!afterFailure) checkUncaught(state, context, findRaised, catchExhausted)
    checkRetried(state, afterFailure, context)
  }
  if (scope.kind === 'machine') checkEndings(scope, region, context)
}

type FindFix = () => Fix | undefined

function checkOrder(handlers: readonly Handler[], context: CheckContext, fix: FindFix): void {
  checkAllLast(handlers, context, fix)
  checkShadowed(handlers, context, fix)
}

function checkAllLast(handlers: readonly Handler[], context: CheckContext, fix: FindFix): void {
  for (const [index, handler] of handlers.entries()) {
    const at = handler.errors.indexOf('States.ALL')
    if (at === -1) continue
    const pointer = under(handler.pointer, 'ErrorEquals', at)
    if (handler.errors.length > 1) {
      context.report(
        'routes/all-not-last',
        pointer,
        '"States.ALL" must stand alone: it takes the others with it.',
        { fix: fix() },
      )
    } else if (index < handlers.length - 1) {
      context.report(
        'routes/all-not-last',
        pointer,
        '"States.ALL" must stand last: nothing after it can match.',
        { fix: fix() },
      )
    }
  }
}

function checkShadowed(handlers: readonly Handler[], context: CheckContext, fix: FindFix): void {
  for (const [index, handler] of handlers.entries()) {
    if (index === 0) continue
    const earlier = handlers.slice(0, index).filter(other => !other.errors.includes('States.ALL'))
    const taken = handler.errors.flatMap((name, at) => {
      const by = firstMatch(earlier, name)?.errors.find(pattern => matchesError(pattern, name))
      return by === undefined ? [] : [{ name, at, by }]
    })
    const [first] = taken
    if (first === undefined) continue
    const names = taken.map(({ name }) => `"${name}"`)
    const takers = [...new Set(taken.map(({ by }) => `"${by}"`))]
    const twice = taken.every(({ name, by }) => name === by)
    const message = `${listed(names)} never ${taken.length === 1 ? 'gets' : 'get'} here: ${listed(takers)} above ${takers.length === 1 ? 'takes' : 'take'} ${taken.length === 1 ? 'it' : 'them'} first.`
    context.report('routes/shadowed', under(handler.pointer, 'ErrorEquals', first.at), message, {
      suggestion: twice ? 'Remove one of the two.' : `Move ${listed(names)} above ${listed(takers)}.`,
      fix: fix(),
    })
  }
}

function checkUncaught(
  state: StateNode,
  context: CheckContext,
  findRaised: FindRaised,
  catchExhausted: boolean,
): void {
  const names: string[] = []
  for (const { name, kind } of findRaised(state).errors.values())
    if ((catchExhausted || kind === 'business') && !isCaught(state, name)) names.push(name)
  if (names.length === 0) return
  const has = Object.hasOwn(state.fields, 'Catch')
  context.report(
    'routes/uncaught',
    has ? under(state.pointer, 'Catch') : state.pointer,
    `No catcher takes ${listed(names)}: the execution just fails.`,
    { at: 'key', suggestion: 'Add a catcher that names the error, or one for "States.ALL".' },
  )
}

function isCaught(state: StateNode, name: string): boolean {
  if (firstMatch(state.catchers, name) !== undefined) return true
  const { owner, kind } = state.scope
  if (owner === undefined) return false
  if (kind !== 'distributed') return isCaught(owner, name)
  // the child fails, and its Map counts it
  const tolerant = toleranceFields.some(field => Object.hasOwn(owner.fields, field))
  return tolerant || isCaught(owner, 'States.ExceedToleratedFailureThreshold')
}

const noContract: Retried = { errors: [] }

function checkRetried(state: StateNode, afterFailure: boolean, context: CheckContext): void {
  const contract = context.findContract(state)
  const lambda = isLambda(state) || contract !== undefined
  if (afterFailure && state.retriers.every(retrier => maxAttemptsOf(retrier) === 0)) {
    const message = `"${state.name}" handles a failure, and a passing disturbance is enough to lose that.`
    const suggestion = 'Give it a Retry of its own.'
    const fix = retryFix(state, context)
    context.report('routes/handler-without-retry', state.pointer, message, { at: 'key', suggestion, fix })
    return
  }
  if (!lambda) return
  const names = lambdaNamesToRetry(contract ?? noContract)
  const missed = names.filter(name => !isRetried(state, name))
  // Workflow Studio's own list leaves it out, and is good enough
  if (missed.every(name => name === 'Lambda.ClientExecutionTimeoutException')) return
  const value = reconcileRetry(state.fields['Retry'], contract ?? noContract) as unknown as Json
  const message =
    missed.length === names.length
      ? "None of Lambda's own transient errors is retried."
      : `Lambda's own ${listed(missed)} ${missed.length === 1 ? 'is' : 'are'} not retried.`
  const has = Object.hasOwn(state.fields, 'Retry')
  context.report('routes/lambda-transient', has ? under(state.pointer, 'Retry') : state.pointer, message, {
    at: 'key',
    suggestion: `Retry ${listed(missed)}.`,
    fix: { pointer: under(state.pointer, 'Retry'), value },
  })
}

function checkEndings(scope: Scope, region: ReadonlySet<StateNode>, context: CheckContext): void {
  const steps = region.size === 0 ? new Map<string, Step>() : shortestSteps(scope, region)
  for (const state of region) {
    if (!state.ends) continue
    const { from, path } = routeTo(state.name, steps)
    const message = `The failure path ${path.join(' → ')} ends the execution as a success: no alarm fires${from === undefined ? '' : ` when ${from} fails`}.`
    context.report(
      'routes/failure-succeeds',
      state.type === 'Succeed' ? under(state.pointer, 'Type') : under(state.pointer, 'End'),
      message,
      {
        suggestion: 'End the path with a Fail state.',
      },
    )
  }
}

/** How a state is first reached after a failure: from the state that failed, by its catcher or by way of another state. */
interface Step {
  readonly from: string
  readonly before: string | undefined
}

/** The shortest ways from the catchers to all that they lead to. */
function shortestSteps(scope: Scope, region: ReadonlySet<StateNode>): ReadonlyMap<string, Step> {
  const steps = new Map<string, Step>()
  for (const state of scope.states.values()) {
    if (region.has(state)) continue
    for (const { kind, to } of state.edges)
      if (kind === 'catch' && !steps.has(to)) steps.set(to, { from: state.name, before: undefined })
  }
  // what is added on the way is come to as well
  for (const [name, { from }] of steps)
    for (const { to } of scope.states.get(name)?.edges ?? [])
      if (!steps.has(to)) steps.set(to, { from, before: name })
  return steps
}

function routeTo(
  name: string,
  steps: ReadonlyMap<string, Step>,
): { readonly from: string | undefined; readonly path: readonly string[] } {
  const path = [name]
  for (let before = steps.get(name)?.before; before !== undefined; before = steps.get(before)?.before)
    path.push(before)
  return { from: steps.get(name)?.from, path: path.reverse() }
}
