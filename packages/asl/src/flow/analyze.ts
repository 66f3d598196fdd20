import type { FindContract } from '../contract/contract.ts'
import type { Edge, Scope, StateNode } from '../machine/machine.ts'
import type { Pointer } from '../source/pointer.ts'
import type { Arrival, TransferContext } from './arrival.ts'
import type { MapItem } from './context-object.ts'
import { type FlowNote, isDoubtful, type Read } from './environment.ts'
import { join } from './join.ts'
import { sameShape } from './same-shape.ts'
import { type Origin, type Shape, unknown } from './shape.ts'
import { transfer } from './transfer.ts'

/** One way into a state, with what it brings. */
export interface Route {
  readonly from: StateNode | undefined
  readonly edge: Edge | undefined
  readonly arrival: Arrival
}

export interface Observer {
  /** Everything that a state read, once for each way into it; states that find all they read are left out. */
  readonly onState: (
    state: StateNode,
    routes: readonly (Route & { readonly reads: readonly Read[] })[],
  ) => void
  readonly onCall: (state: StateNode, argument: Shape, pointer: Pointer) => void
  readonly onItems: (state: StateNode, items: Shape) => void
  readonly onNote: (note: FlowNote) => void
  /** What a state read, and the variables that it saw, once for each way into it. */
  readonly onRun?: (state: StateNode, reads: readonly Read[], variables: Shape) => void
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

/** A scope once its data no longer changes. */
interface Solved {
  readonly places: readonly Place[]
  readonly input: ScopeInput
  /** What the scope makes; `undefined` where it never ends well. */
  readonly result: Shape | undefined
}

/** A state with the ways into it, and what it did when it was last run with all of them together. */
interface Place {
  readonly state: StateNode
  readonly ways: Way[]
  /** Whether a way into it has changed since it was run. */
  changed: boolean
  run: Run | undefined
  /** What the scope's result is, where it ends here. */
  end: Shape | undefined
}

/** A route whose arrival may still change. */
type Way = { -readonly [Key in keyof Route]: Route[Key] }

/** What a state read, called and held. */
interface Run {
  readonly reads: Read[]
  readonly calls: Parameters<Observer['onCall']>[]
  readonly notes: FlowNote[]
  readonly items: Parameters<Observer['onItems']>[]
  readonly inner: Map<Scope, Solved> | undefined
}

function startRun(state: StateNode): Run {
  const inner = state.inner.length > 0 ? new Map<Scope, Solved>() : undefined
  return { reads: [], calls: [], notes: [], items: [], inner }
}

function solve(scope: Scope, input: ScopeInput, findContract: FindContract): Solved {
  const places = inOrder(scope)
  const byName = new Map(places.map(place => [place.state.name, place]))
  const byEdge = new Map<Edge, Way>()
  let run: Run
  const context: TransferContext = {
    findContract,
    executionInput: input.executionInput,
    item: input.item,
    record: read => run.reads.push(read),
    onCall: (...call) => run.calls.push(call),
    onNote: note => run.notes.push(note),
    onItems: (...items) => run.items.push(items),
    runInner: (inner, arrival, item) => {
      const solved = solve(inner, innerInput(inner, arrival, item, input), findContract)
      run.inner?.set(inner, solved)
      return solved.result
    },
  }
  const [start] = places
  if (start !== undefined) {
    start.ways.push({ from: undefined, edge: undefined, arrival: input.arrival })
    start.changed = true
  }
  for (let round = 0; places.some(place => place.changed); round += 1) {
    for (const place of places) {
      if (!place.changed) continue
      place.changed = false
      run = startRun(place.state)
      place.run = run
      const { departures, end } = transfer(place.state, joinWays(place.ways), context)
      if (end !== undefined) place.end = end
      for (const { edge, data, variables } of departures) {
        const target = byName.get(edge.to)
        if (target === undefined) continue
        const arrival = round < maxRounds ? { data, variables } : anything
        const way = byEdge.get(edge)
        if (way !== undefined && sameArrival(way.arrival, arrival)) continue
        if (way === undefined) {
          const first: Way = { from: place.state, edge, arrival }
          byEdge.set(edge, first)
          target.ways.push(first)
        } else way.arrival = arrival
        target.changed = true
      }
    }
  }
  let result: Shape | undefined
  for (const { end } of places) if (end !== undefined) result = result === undefined ? end : join(result, end)
  return { places, input, result }
}

const anything: Arrival = { data: unknown, variables: unknown }

function sameArrival(a: Arrival, b: Arrival): boolean {
  return sameShape(a.data, b.data) && sameShape(a.variables, b.variables)
}

/** What the states call and hold is told of the ways together, what they read of each way by itself. */
function tell(solved: Solved, options: AnalyzeOptions): void {
  const { observer } = options
  for (const place of solved.places) {
    const { state, run } = place
    if (run === undefined) continue
    if (observer.onRun) {
      for (const { arrival } of place.ways)
        observer.onRun(state, readsOf(state, arrival, run, solved.input, options), arrival.variables)
    }
    if (place.ways.length > 1 || run.reads.some(isDoubtful))
      observer.onState(state, readsByWay(place, run, solved.input, options))
    for (const call of run.calls) observer.onCall(...call)
    for (const note of run.notes) observer.onNote(note)
    for (const items of run.items) observer.onItems(...items)
    for (const inner of run.inner?.values() ?? []) tell(inner, options)
  }
}

/** What a state reads when it is reached by each of its ways. */
function readsByWay(
  { state, ways }: Place,
  run: Run,
  input: ScopeInput,
  options: AnalyzeOptions,
): readonly (Route & { readonly reads: readonly Read[] })[] {
  // what is there on all ways together is there on each of them
  const same = ways.length === 1 || run.reads.every(({ access }) => access.presence === 'always')
  return ways.map(({ from, edge, arrival }) => {
    const reads = same ? run.reads : readsOf(state, arrival, run, input, options)
    return { from, edge, arrival, reads }
  })
}

/** What a state reads when it is reached with that. */
function readsOf(
  state: StateNode,
  arrival: Arrival,
  run: Run,
  { executionInput, item }: ScopeInput,
  { findContract }: AnalyzeOptions,
): readonly Read[] {
  const reads: Read[] = []
  transfer(state, arrival, {
    findContract,
    executionInput,
    item,
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

function joinWays(ways: readonly Way[] = []): Arrival {
  const [first] = ways
  if (first === undefined) return anything
  let { data, variables } = first.arrival
  if (ways.length === 1) return first.arrival
  let from = routeOrigin(first)
  for (const way of ways.slice(1)) {
    const next = routeOrigin(way)
    data = join(data, way.arrival.data, from, next)
    variables = join(variables, way.arrival.variables, from, next)
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

/** The states that can be reached, so that, but for loops, each comes after those that lead to it. */
function inOrder(scope: Scope): readonly Place[] {
  const seen = new Set<string>()
  const after: Place[] = []
  const stack: { readonly state: StateNode; next: number }[] = []
  const enter = (name: string): void => {
    const state = seen.has(name) ? undefined : scope.states.get(name)
    if (state === undefined) return
    seen.add(name)
    stack.push({ state, next: 0 })
  }
  enter(scope.startAt)
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const edge = top.state.edges[top.next]
    top.next += 1
    if (edge !== undefined) enter(edge.to)
    else {
      after.push({ state: top.state, ways: [], changed: false, run: undefined, end: undefined })
      stack.pop()
    }
  }
  return after.reverse()
}
