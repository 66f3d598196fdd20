import type { FindContract } from '../contract/contract.ts'
import type { Edge, Scope, StateNode } from '../machine/machine.ts'
import type { Pointer } from '../source/pointer.ts'
import type { Arrival, FlowNote, Transfer } from './arrival.ts'
import type { MapItem } from './context-object.ts'
import type { Read } from './environment.ts'
import { join, type Origin, type Shape, sameShape, unknown } from './shape.ts'
import { transfer } from './transfer.ts'

/** One way into a state, with what it brings. */
export interface Route {
  readonly from: StateNode | undefined
  readonly edge: Edge | undefined
  readonly arrival: Arrival
}

export interface Observer {
  /** Everything that a state read, once for each way into it. */
  readonly onState: (
    state: StateNode,
    routes: readonly (Route & { readonly reads: readonly Read[] })[],
  ) => void
  readonly onCall: (state: StateNode, argument: Shape, pointer: Pointer) => void
  readonly onItems: (state: StateNode, items: Shape) => void
  readonly onNote: (note: FlowNote) => void
}

export interface AnalyzeOptions {
  readonly findContract: FindContract
  readonly observer: Observer
}

/** A loop whose data still changes after this many rounds is taken to be able to hold anything. */
const maxRounds = 20

interface ScopeInput {
  readonly arrival: Arrival
  readonly item: MapItem | undefined
  readonly executionInput: Shape
}

/** Follows the data through the machine, from the input to every state, and tells the observer what each state reads. */
export function analyze(machine: Scope, input: Arrival, options: AnalyzeOptions): void {
  analyzeScope(machine, { arrival: input, item: undefined, executionInput: input.data }, options, true)
}

function analyzeScope(
  scope: Scope,
  input: ScopeInput,
  options: AnalyzeOptions,
  observed: boolean,
): Shape | undefined {
  const order = inOrder(scope)
  const routes = new Map<StateNode, Map<string, Route>>(order.map(state => [state, new Map()]))
  const start = scope.states.get(scope.startAt)
  if (start === undefined) return undefined
  routes.get(start)?.set('start', { from: undefined, edge: undefined, arrival: input.arrival })

  const innerResults = new Map<Scope, Shape | undefined>()
  const runs = new Map<StateNode, Run>()
  const run = (state: StateNode, arrival: Arrival): Transfer => {
    const done: Run = { arrival, reads: [], calls: [], notes: [] }
    runs.set(state, done)
    return transfer(state, arrival, {
      findContract: options.findContract,
      executionInput: input.executionInput,
      item: input.item,
      record: read => done.reads.push(read),
      onCall: (...call) => done.calls.push(call),
      onNote: note => done.notes.push(note),
      runInner: (inner, innerArrival, item) => {
        const result = analyzeScope(inner, innerInput(inner, innerArrival, item, input), options, false)
        innerResults.set(inner, result)
        return result
      },
    })
  }

  const ends = new Map<StateNode, Shape>()
  const dirty = new Set<StateNode>([start])
  for (let round = 0; dirty.size > 0; round += 1) {
    for (const state of order) {
      if (!dirty.delete(state)) continue
      const { departures, end } = run(state, joinRoutes([...(routes.get(state)?.values() ?? [])]))
      if (end !== undefined) ends.set(state, end)
      for (const { edge, data, variables } of departures) {
        const target = scope.states.get(edge.to)
        const into = target && routes.get(target)
        if (target === undefined || into === undefined) continue
        const key = `${state.name}\n${edge.kind}\n${edge.index}`
        const before = into.get(key)?.arrival
        if (before && sameShape(before.data, data) && sameShape(before.variables, variables)) continue
        const arrival = round < maxRounds ? { data, variables } : { data: unknown, variables: unknown }
        if (before?.data === unknown && before.variables === unknown) continue
        into.set(key, { from: state, edge, arrival })
        dirty.add(target)
      }
    }
  }

  if (observed) {
    for (const state of order) {
      const into = [...(routes.get(state)?.values() ?? [])]
      if (!retell(state, into, runs.get(state), options.observer))
        observe(state, into, input, options, innerResults)
    }
  }
  const results = [...ends.values()]
  return results.length === 0 ? undefined : results.reduce((sum, shape) => join(sum, shape))
}

/** What a state read and called when it was last run. */
interface Run {
  readonly arrival: Arrival
  readonly reads: Read[]
  readonly calls: Parameters<Observer['onCall']>[]
  readonly notes: FlowNote[]
}

/** Tells of a state that has only one way into it, as it was last run; `false` where it must be run again. */
function retell(
  state: StateNode,
  routes: readonly Route[],
  run: Run | undefined,
  observer: Observer,
): boolean {
  const [route, ...others] = routes
  if (route === undefined || others.length > 0 || state.inner.length > 0 || run?.arrival !== route.arrival)
    return false
  observer.onState(state, [{ ...route, reads: run.reads }])
  for (const call of run.calls) observer.onCall(...call)
  for (const note of run.notes) observer.onNote(note)
  return true
}

function innerInput(
  scope: Scope,
  arrival: Arrival,
  item: MapItem | undefined,
  outer: ScopeInput,
): ScopeInput {
  return {
    arrival,
    item,
    executionInput: scope.kind === 'distributed' ? arrival.data : outer.executionInput,
  }
}

function observe(
  state: StateNode,
  routes: readonly Route[],
  input: ScopeInput,
  options: AnalyzeOptions,
  innerResults: ReadonlyMap<Scope, Shape | undefined>,
): void {
  if (routes.length === 0) return
  const { findContract, observer } = options
  const base = { findContract, executionInput: input.executionInput, item: input.item }
  // what the state calls and holds is told of the ways together, what it reads of each way by itself
  const told = {
    onCall: observer.onCall,
    onNote: observer.onNote,
    onItems: observer.onItems,
    runInner: (scope: Scope, arrival: Arrival, item: MapItem | undefined) =>
      analyzeScope(scope, innerInput(scope, arrival, item, input), options, true),
  }
  const single = routes.length === 1
  const observed = routes.map(route => {
    const reads: Read[] = []
    const record = (read: Read) => reads.push(read)
    const quiet = { runInner: (scope: Scope) => innerResults.get(scope) }
    transfer(state, route.arrival, { ...base, record, ...(single ? told : quiet) })
    return { ...route, reads }
  })
  observer.onState(state, observed)
  if (!single) transfer(state, joinRoutes(routes), { ...base, ...told, record: () => {} })
}

function joinRoutes(routes: readonly Route[]): Arrival {
  const [first, ...rest] = routes
  if (first === undefined) return { data: unknown, variables: unknown }
  if (rest.length === 0) return first.arrival
  let { data, variables } = first.arrival
  let from = routeOrigin(first)
  for (const route of rest) {
    const next = routeOrigin(route)
    data = join(data, route.arrival.data, from, next)
    variables = join(variables, route.arrival.variables, from, next)
    from = { kind: 'route', text: `${from.text} or ${next.text}` }
  }
  return { data, variables }
}

function routeOrigin(route: Route): Origin {
  return { kind: 'route', text: describeRoute(route) }
}

/** The way as it reads after "by way of". */
export function describeRoute({ from, edge }: Pick<Route, 'from' | 'edge'>): string {
  if (from === undefined || edge === undefined) return 'the start'
  if (edge.kind === 'next') return `"${from.name}"`
  if (edge.kind === 'default') return `the default of "${from.name}"`
  return `${edge.kind === 'choice' ? 'choice' : 'catcher'} ${edge.index + 1} of "${from.name}"`
}

/** States so that, but for loops, each comes after those that lead to it. */
function inOrder(scope: Scope): readonly StateNode[] {
  const seen = new Set<StateNode>()
  const after: StateNode[] = []
  const stack: { state: StateNode; next: number }[] = []
  const enter = (name: string): void => {
    const state = scope.states.get(name)
    if (state === undefined || seen.has(state)) return
    seen.add(state)
    stack.push({ state, next: 0 })
  }
  enter(scope.startAt)
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const edge = top.state.edges[top.next++]
    if (edge !== undefined) enter(edge.to)
    else {
      after.push(top.state)
      stack.pop()
    }
  }
  return after.reverse()
}
