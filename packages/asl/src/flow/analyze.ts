import type { FindContract } from '../contract/contract.ts'
import type { Edge, Scope, StateNode } from '../machine/machine.ts'
import type { Pointer } from '../source/pointer.ts'
import type { Arrival, Transfer } from './arrival.ts'
import type { MapItem } from './context-object.ts'
import type { FlowNote, Read } from './environment.ts'
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
  const solved = solve(
    machine,
    { arrival: input, item: undefined, executionInput: input.data },
    options.findContract,
  )
  tell(solved, options)
}

/** A scope once its data no longer changes: the ways into each state, and what the state did with all of them together. */
interface Solved {
  readonly order: readonly StateNode[]
  readonly routes: ReadonlyMap<StateNode, ReadonlyMap<Edge | undefined, Route>>
  readonly runs: ReadonlyMap<StateNode, Run>
  readonly input: ScopeInput
  /** What the scope makes; `undefined` where it never ends well. */
  readonly result: Shape | undefined
}

/** What a state read, called and held when it was last run. */
interface Run {
  readonly reads: Read[]
  readonly calls: Parameters<Observer['onCall']>[]
  readonly notes: FlowNote[]
  readonly items: Parameters<Observer['onItems']>[]
  readonly inner: Map<Scope, Solved> | undefined
}

function solve(scope: Scope, input: ScopeInput, findContract: FindContract): Solved {
  const order = inOrder(scope)
  const routes = new Map<StateNode, Map<Edge | undefined, Route>>(order.map(state => [state, new Map()]))
  const runs = new Map<StateNode, Run>()
  const ends = new Map<StateNode, Shape>()
  const run = (state: StateNode, arrival: Arrival): Transfer => {
    const done: Run = {
      reads: [],
      calls: [],
      notes: [],
      items: [],
      inner: state.inner.length > 0 ? new Map() : undefined,
    }
    runs.set(state, done)
    return transfer(state, arrival, {
      findContract,
      executionInput: input.executionInput,
      item: input.item,
      record: read => done.reads.push(read),
      onCall: (...call) => done.calls.push(call),
      onNote: note => done.notes.push(note),
      onItems: (...items) => done.items.push(items),
      runInner: (inner, innerArrival, item) => {
        const solved = solve(inner, innerInput(inner, innerArrival, item, input), findContract)
        done.inner?.set(inner, solved)
        return solved.result
      },
    })
  }

  const dirty = new Set<StateNode>(order.slice(0, 1))
  for (const start of dirty)
    routes.get(start)?.set(undefined, { from: undefined, edge: undefined, arrival: input.arrival })
  for (let round = 0; dirty.size > 0; round += 1) {
    for (const state of order) {
      if (!dirty.delete(state)) continue
      const { departures, end } = run(state, joinRoutes(routes.get(state)))
      if (end !== undefined) ends.set(state, end)
      for (const { edge, data, variables } of departures) {
        const target = scope.states.get(edge.to)
        const into = target && routes.get(target)
        if (target === undefined || into === undefined) continue
        const before = into.get(edge)?.arrival
        if (before && sameShape(before.data, data) && sameShape(before.variables, variables)) continue
        const arrival = round < maxRounds ? { data, variables } : { data: unknown, variables: unknown }
        if (before?.data === unknown && before.variables === unknown) continue
        into.set(edge, { from: state, edge, arrival })
        dirty.add(target)
      }
    }
  }
  const results = [...ends.values()]
  const result = results.length === 0 ? undefined : results.reduce((sum, shape) => join(sum, shape))
  return { order, routes, runs, input, result }
}

/** What the states call and hold is told of the ways together, what they read of each way by itself. */
function tell(solved: Solved, options: AnalyzeOptions): void {
  const { observer } = options
  for (const state of solved.order) {
    const run = solved.runs.get(state)
    if (run === undefined) continue
    const routes = [...(solved.routes.get(state)?.values() ?? [])]
    observer.onState(
      state,
      routes.map(route => ({ ...route, reads: readsBy(route, state, run, routes.length, solved, options) })),
    )
    for (const call of run.calls) observer.onCall(...call)
    for (const note of run.notes) observer.onNote(note)
    for (const items of run.items) observer.onItems(...items)
    for (const inner of run.inner?.values() ?? []) tell(inner, options)
  }
}

/** What a state reads when it is reached by one of its ways. */
function readsBy(
  route: Route,
  state: StateNode,
  run: Run,
  ways: number,
  { input }: Solved,
  { findContract }: AnalyzeOptions,
): readonly Read[] {
  // what is there on all ways together is there on each of them
  if (ways === 1 || run.reads.every(({ access }) => access.presence === 'always')) return run.reads
  const reads: Read[] = []
  transfer(state, route.arrival, {
    findContract,
    executionInput: input.executionInput,
    item: input.item,
    record: read => reads.push(read),
    runInner: scope => run.inner?.get(scope)?.result,
  })
  return reads
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

function joinRoutes(routes: ReadonlyMap<unknown, Route> | undefined): Arrival {
  const [first, ...rest] = routes?.values() ?? []
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
