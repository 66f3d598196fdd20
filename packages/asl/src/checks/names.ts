import { closest } from '@stepwright/errors/spelling'
import { isPlaceholder } from '../expressions/placeholder.ts'
import { isReserved, lambdaNames, reservedNames, sdkPrefixes, servicePrefixes } from '../facts/errors.ts'
import { type Handler, type StateNode, statesOf } from '../machine/machine.ts'
import { integrationOf, isLambda } from '../machine/resource.ts'
import { type Pointer, under } from '../source/pointer.ts'
import type { CheckContext } from './context.ts'
import type { FindRaised } from './raised.ts'

/** ErrorEquals is matched by exact name: every name must be one that can be raised. */
export function checkNames(context: CheckContext, findRaised: FindRaised): void {
  const ownFailures = new Set<string>()
  for (const state of statesOf(context.machine)) {
    if (state.type === 'Fail' && typeof state.fields['Error'] === 'string')
      ownFailures.add(state.fields['Error'])
  }
  for (const state of statesOf(context.machine)) {
    for (const handler of state.retriers) checkHandler(handler, state, ownFailures, context, findRaised)
    for (const handler of state.catchers) checkHandler(handler, state, ownFailures, context, findRaised)
  }
}

function checkHandler(
  handler: Handler,
  state: StateNode,
  ownFailures: ReadonlySet<string>,
  context: CheckContext,
  findRaised: FindRaised,
): void {
  for (const [index, name] of handler.errors.entries()) {
    if (name === 'States.Runtime') reportUncatchable(handler, index, context)
    if (isPlaceholder(name) || isReserved(name)) continue
    if (isDistributedMap(state)) reportChildError(name, handler, index, context)
    else if (!ownFailures.has(name)) checkName(name, index, handler, state, context, findRaised)
  }
}

function reportUncatchable(handler: Handler, index: number, context: CheckContext): void {
  context.report(
    'names/uncatchable',
    under(handler.pointer, 'ErrorEquals', index),
    'States.Runtime ends the execution, whatever Retry and Catch say: nothing takes it.',
    { suggestion: 'Remove it, and see to it that the paths are there.' },
  )
}

function isDistributedMap(state: StateNode): boolean {
  return state.inner.some(({ kind }) => kind === 'distributed')
}

/** The items of a Distributed Map are executions of their own: their errors do not come out by name. */
function reportChildError(name: string, handler: Handler, index: number, context: CheckContext): void {
  if (/^(?:Lambda|S3|States|Sandbox|Runtime)\./.test(name)) return
  context.report(
    'names/unknown-error',
    under(handler.pointer, 'ErrorEquals', index),
    `The items of a Distributed Map are executions of their own, so "${name}" never comes out of it.`,
    { suggestion: 'Take "States.ExceedToleratedFailureThreshold", or catch it inside the item processor.' },
  )
}

function checkName(
  name: string,
  index: number,
  handler: Handler,
  state: StateNode,
  context: CheckContext,
  findRaised: FindRaised,
): void {
  const pointer: Pointer = under(handler.pointer, 'ErrorEquals', index)
  const suggest = (right: string | undefined) =>
    right === undefined ? {} : { suggestion: `Did you mean "${right}"?`, fix: { pointer, value: right } }

  if (/^states?\./i.test(name)) {
    const message = `"${name}" is not one of Step Functions' own errors, so it never matches.`
    context.report('names/unknown-reserved', pointer, message, suggest(closest(name, reservedNames)))
    return
  }
  const prefix = expectedPrefix(state)
  const [given = '', ...rest] = name.split('.')
  if (
    prefix !== undefined &&
    given !== prefix &&
    given.toLowerCase() === prefix.toLowerCase() &&
    rest.length > 0
  ) {
    const message = `The errors of this service begin with "${prefix}.", so "${name}" never matches.`
    context.report('names/wrong-prefix', pointer, message, suggest(`${prefix}.${rest.join('.')}`))
    return
  }
  checkRaisable(name, pointer, state, context, findRaised, suggest)
}

function checkRaisable(
  name: string,
  pointer: Pointer,
  state: StateNode,
  context: CheckContext,
  findRaised: FindRaised,
  suggest: (right: string | undefined) => object,
): void {
  if (/^(Lambda|Sandbox|Runtime|Function|Extension)\./.test(name)) {
    const near = isLambda(state) ? closest(name, lambdaNames, 2) : undefined
    if (near === undefined || near === name) return
    const message = `Lambda has no error "${name}", so it never matches.`
    context.report('names/unknown-error', pointer, message, suggest(near))
    return
  }
  const raised = findRaised(state)
  const declared = [...raised.errors.keys()]
  if (raised.errors.has(name)) return
  if (!raised.open) {
    const what =
      state.type === 'Task' ? `The task "${context.findContract(state)?.name}"` : `Nothing in "${state.name}"`
    const message = `${what} ${state.type === 'Task' ? 'does not declare' : 'raises'} "${name}", so it never matches.`
    const near = closest(name, declared) ?? closest(name, context.errors?.map(error => error.name) ?? [])
    context.report('names/unknown-error', pointer, message, suggest(near))
    return
  }
  if (context.errors === undefined || name.includes('.') || context.errors.some(error => error.name === name))
    return
  const near = closest(name, [...declared, ...context.errors.map(error => error.name)])
  context.report(
    'names/unknown-error',
    pointer,
    `No error is called "${name}", so it never matches.`,
    suggest(near),
  )
}

function expectedPrefix(state: StateNode): string | undefined {
  if (state.type !== 'Task') return undefined
  const { kind, service } = integrationOf(state.fields['Resource'])
  return (kind === 'sdk' ? sdkPrefixes : servicePrefixes).get(service)
}
