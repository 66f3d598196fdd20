import { closest } from '@stepwright/errors/spelling'
import type { JsonSchema } from '@stepwright/task'
import { readSteps } from '../flow/access.ts'
import { analyze } from '../flow/analyze.ts'
import { noVariables } from '../flow/arrival.ts'
import { isDoubtful, type Read } from '../flow/environment.ts'
import { findMismatches } from '../flow/satisfy.ts'
import type { Origin, Shape } from '../flow/shape.ts'
import { shapeOfSchema } from '../flow/shape-of-schema.ts'
import { describeRoute, type Route } from '../flow/solve.ts'
import type { StateNode } from '../machine/machine.ts'
import { formatPointer, type Pointer, under } from '../source/pointer.ts'
import { type CheckContext, listed } from './context.ts'

/** What the data flow shows besides its findings. */
export interface FlowFacts {
  /** The items of each Map, as they come out of the payload. */
  readonly items: ReadonlyMap<StateNode, Shape>
}

/** Every path that a state reads must be there, on every way into the state. */
export function checkFlow(context: CheckContext, input: JsonSchema | undefined): FlowFacts {
  const items = new Map<StateNode, Shape>()
  const origin: Origin = { kind: 'schema', text: 'the schema of the execution’s input' }
  const arrival = { data: shapeOfSchema(input, origin), variables: noVariables }
  analyze(context.machine, arrival, {
    findContract: context.findContract,
    observer: {
      onState: (state, routes) => checkReads(state, routes, context),
      onCall: (state, argument, pointer) => checkCall(state, argument, pointer, context),
      onItems: (state, shape) => items.set(state, shape),
      onNote: ({ rule, pointer, message, suggestion }) =>
        context.report(rule, pointer, message, { suggestion }),
    },
  })
  return { items }
}

interface Observed {
  readonly route: Route
  readonly read: Read
}

function checkReads(
  state: StateNode,
  routes: readonly (Route & { readonly reads: readonly Read[] })[],
  context: CheckContext,
): void {
  if (!routes.some(({ reads }) => reads.some(isDoubtful))) return
  const byPlace = new Map<string, Observed[]>()
  for (const route of routes) {
    for (const read of route.reads) {
      const key = `${formatPointer(read.pointer)}\n${read.text}`
      const observed = byPlace.get(key) ?? []
      observed.push({ route, read })
      byPlace.set(key, observed)
    }
  }
  for (const observed of byPlace.values()) {
    if (observed.some(({ read }) => isDoubtful(read))) judge(state, observed, routes.length, context)
  }
}

/** Tells of what is read at one place; by ways of which nothing was observed, nothing is missing there. */
function judge(state: StateNode, observed: readonly Observed[], ways: number, context: CheckContext): void {
  const { pointer, text, path } = (observed[0] as Observed).read
  const quoted = `"${text}"`
  if (isContext(observed)) {
    context.report('flow/unknown-context', pointer, `The context object has no ${quoted} here.`, {
      suggestion: contextSuggestion(observed[0] as Observed),
    })
    return
  }
  if (isVariable(path.root, observed)) {
    judgeVariable(state, observed, context)
    return
  }
  const left = observed.filter(each => !reportDropped(state, each, context))
  const never = left.filter(({ read }) => read.access.presence === 'never')
  const sometimes = left.filter(({ read }) => read.access.presence === 'sometimes')
  if (never.length > 0 && new Set(never.map(({ route }) => route)).size === ways) {
    const message =
      ways === 1
        ? `${quoted} is not there when "${state.name}" is reached.`
        : `${quoted} is not there: no way into "${state.name}" provides it.`
    context.report('flow/missing-path', pointer, message, {
      suggestion: fieldSuggestion(never[0] as Observed),
    })
  } else if (never.length > 0) {
    const routes = listed(never.map(({ route }) => describeRoute(route)))
    const message = `${quoted} is missing when "${state.name}" is reached by way of ${routes}.`
    const tested = never.every(({ read }) => read.access.missing?.kind === 'test')
    context.report(tested ? 'flow/missing-after-test' : 'flow/sometimes-missing', pointer, message, {
      suggestion: 'Provide it on that way too, or send that way elsewhere.',
    })
  }
  for (const each of sometimes) reportSometimes(state, each, context)
}

function isContext(observed: readonly Observed[]): boolean {
  return observed.some(({ read: { path, access } }) => {
    const inContext = path.root.kind === 'context' || (isStates(path) && fieldAt(path, 0) === 'context')
    const offset = path.root.kind === 'context' ? 0 : 1
    const underInput = fieldAt(path, offset) === 'Execution' && fieldAt(path, offset + 1) === 'Input'
    const underValue = fieldAt(path, offset) === 'Map' && fieldAt(path, offset + 2) === 'Value'
    return (
      inContext && access.presence === 'never' && !((underInput || underValue) && (access.failedAt ?? 0) >= 2)
    )
  })
}

function isStates(path: Read['path']): boolean {
  return path.root.kind === 'variable' && path.root.name === 'states'
}

function fieldAt(path: Read['path'], index: number): string | undefined {
  const step = path.steps[index]
  return step?.kind === 'field' ? step.name : undefined
}

/** Among more fields nobody looks for the right one: it would be looked for anew with every read. */
const maxFieldsToSuggest = 500

function meantBy(name: string, { available = [] }: Read['access']): string | undefined {
  return available.length > maxFieldsToSuggest ? undefined : closest(name, available)
}

function contextSuggestion({ read: { path, access } }: Observed): string | undefined {
  const steps = path.root.kind === 'context' ? path.steps : path.steps.slice(1)
  const failed = steps[access.failedAt ?? 0]
  if (failed?.kind !== 'field' || access.available === undefined) return undefined
  const near = meantBy(failed.name, access)
  return near === undefined ? `There is ${listed(access.available)}.` : `Did you mean "${near}"?`
}

function isVariable(root: Read['path']['root'], observed: readonly Observed[]): boolean {
  return (
    root.kind === 'variable' &&
    root.name !== 'states' &&
    observed.some(({ read }) => read.access.failedAt === 0)
  )
}

function judgeVariable(state: StateNode, observed: readonly Observed[], context: CheckContext): void {
  const { pointer, path, access } = (observed[0] as Observed).read
  const name = path.root.kind === 'variable' ? path.root.name : ''
  const never = observed.filter(({ read }) => read.access.presence === 'never')
  const sometimes = observed.find(({ read }) => read.access.presence === 'sometimes')
  const near = meantBy(name, access)
  const how =
    never.length === observed.length
      ? `before "${state.name}" is reached`
      : never.length > 0
        ? `when "${state.name}" is reached by way of ${listed(never.map(({ route }) => describeRoute(route)))}`
        : `on every way to "${state.name}": not by way of ${sometimes?.read.access.missing?.text ?? 'some'}`
  context.report('flow/unassigned-variable', pointer, `The variable "$${name}" is not assigned ${how}.`, {
    suggestion: near === undefined ? undefined : `Did you mean "$${near}"?`,
  })
}

/** A field that the input had until a catcher put its error output in the input's place. */
function reportDropped(state: StateNode, { read }: Observed, context: CheckContext): boolean {
  const { access, path } = read
  const catcher = access.missing?.catcher
  if (catcher === undefined || access.failedAt !== 0 || path.root.kind === 'context') return false
  const steps = isStates(path) ? path.steps.slice(1) : path.steps
  const before = readSteps(catcher.before, steps.slice(0, 1))
  if (before.presence === 'never' || (before.presence === 'sometimes' && before.missing?.kind === 'schema'))
    return false
  const jsonata = catcher.state.language === 'JSONata'
  const message = `This catcher puts the error output in place of the input: "${read.text}", which "${state.name}" reads, is lost.`
  context.report('flow/catcher-drops-input', catcher.pointer, message, {
    suggestion: jsonata ? 'Give it an Output that keeps $states.input.' : 'Give it "ResultPath": "$.error".',
    ...(jsonata ? {} : { fix: { pointer: under(catcher.pointer, 'ResultPath'), value: '$.error' } }),
  })
  return true
}

function fieldSuggestion({ read: { path, access } }: Observed): string | undefined {
  const steps = isStates(path) ? path.steps.slice(1) : path.steps
  const failed = steps[access.failedAt ?? 0]
  if (failed?.kind !== 'field' || access.available === undefined) return undefined
  const near = meantBy(failed.name, access)
  if (near !== undefined) return `Did you mean "${near}"?`
  const where = access.missing === undefined ? 'There' : `In ${access.missing.text} there`
  if (access.available.length === 0) return `${where} is nothing.`
  return access.available.length > 12 ? undefined : `${where} is ${listed(access.available)}.`
}

function reportSometimes(state: StateNode, { read }: Observed, context: CheckContext): void {
  const { missing } = read.access
  if (missing?.kind === 'schema') {
    const message = `"${read.text}" may be missing: ${missing.text} does not promise it.`
    context.report('flow/optional-field', read.pointer, message, {
      suggestion: 'Require the field in the schema, or test it with IsPresent first.',
    })
  } else if (missing?.kind === 'route' || missing?.kind === 'test' || missing?.kind === 'catch') {
    const how = missing.kind === 'route' ? 'by way of' : missing.kind === 'test' ? 'after' : 'with'
    const message = `"${read.text}" is missing when "${state.name}" is reached ${how} ${missing.text}.`
    const rule = missing.kind === 'test' ? 'flow/missing-after-test' : 'flow/sometimes-missing'
    context.report(rule, read.pointer, message, {
      suggestion: 'Provide it on that way too.',
    })
  }
}

function checkCall(state: StateNode, argument: Shape, pointer: Pointer, context: CheckContext): void {
  const contract = context.findContract(state)
  if (contract?.input === undefined) return
  for (const { path, message } of findMismatches(argument, contract.input)) {
    const what = path.length === 0 ? 'What it is given' : `"${path.join('.')}"`
    context.report(
      'flow/input-mismatch',
      deepest(state, pointer, path),
      `"${contract.name}" refuses this: ${what} ${message}.`,
      { at: 'key' },
    )
  }
}

/** The key in Parameters that makes the field, where there is one. */
function deepest(state: StateNode, pointer: Pointer, path: readonly string[]): Pointer {
  let at = pointer
  let value: unknown = pointer
    .slice(state.pointer.length)
    .reduce<unknown>((found, key) => field(found, key), state.fields)
  for (const name of path) {
    const key = [name, `${name}.$`].find(each => field(value, each) !== undefined)
    if (key === undefined) break
    at = under(at, key)
    value = field(value, key)
  }
  return at
}

function field(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : undefined
}
