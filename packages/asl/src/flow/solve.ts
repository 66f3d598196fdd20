import type { FindContract } from '../contract/contract.ts'
import { inOrder } from '../machine/in-order.ts'
import type { Edge, Scope, StateNode } from '../machine/machine.ts'
import type { Pointer } from '../source/pointer.ts'
import type { Arrival, TransferContext } from './arrival.ts'
import type { MapItem } from './context-object.ts'
import { type FlowNote, isDoubtful } from './environment.ts'
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

/** A loop whose data still changes after this many rounds is taken to be able to hold anything. */
const maxRounds = 20

/** Loops inside of loops multiply: a branch that was followed this often is taken to be given anything. */
const maxSolutions = 50

export interface ScopeInput {
  readonly arrival: Arrival
  readonly item: MapItem | undefined
  readonly executionInput: Shape
}

/** A scope once its data no longer changes. */
export interface Solved {
  readonly places: readonly Place[]
  readonly input: ScopeInput
  /** What the scope makes; `undefined` where it never ends well. */
  readonly result: Shape | undefined
}

/** A state with the ways into it, and what it did when it was last run with all of them together. */
interface Place {
  readonly state: StateNode
  ways: Way[]
  /** Whether a way into it has changed since it was run. */
  changed: boolean
  run: Run | undefined
  /** What the scope's result is, where it ends here. */
  end: Shape | undefined
}

function toPlace(state: StateNode): Place {
  return { state, ways: noWays, changed: false, run: undefined, end: undefined }
}

/** A route whose arrival may still change. */
export type Way = { -readonly [Key in keyof Route]: Route[Key] }

const noWays: Way[] = []

function addWay(place: Place, from: StateNode | undefined, edge: Edge | undefined, arrival: Arrival): Way {
  const way = { from, edge, arrival }
  if (place.ways === noWays) place.ways = [way]
  else place.ways.push(way)
  place.changed = true
  return way
}

/** What is to be told of a state; what it reads is found again where some of it is not sure to be there. */
export interface Run {
  /** Whether all that it reads is there. */
  sure: boolean
  /** Whether something that it reads is missing, or may be. */
  doubtful: boolean
  call: { readonly argument: Shape; readonly pointer: Pointer } | undefined
  items: Shape | undefined
  notes: FlowNote[] | undefined
  inner: Map<Scope, Solved> | undefined
}

function startRun(): Run {
  return {
    sure: true,
    doubtful: false,
    call: undefined,
    items: undefined,
    notes: undefined,
    inner: undefined,
  }
}

/** Follows the data through a scope and all scopes inside it. */
type Solve = (scope: Scope, input: ScopeInput) => Solved

export function createSolve(findContract: FindContract): Solve {
  let run: Run
  let outer: ScopeInput
  const solutions = new Map<Scope, number>()
  const solutionsForAnything = new Map<Scope, Solved>()
  const solveInner: Solve = (scope, input) => {
    const count = (solutions.get(scope) ?? 0) + 1
    solutions.set(scope, count)
    if (count <= maxSolutions) return solve(scope, input)
    const item = input.item && { value: unknown }
    const solved =
      solutionsForAnything.get(scope) ?? solve(scope, { arrival: anything, item, executionInput: unknown })
    solutionsForAnything.set(scope, solved)
    return solved
  }
  const listener: Omit<TransferContext, 'executionInput' | 'item'> = {
    findContract,
    record: read => {
      run.sure &&= read.access.presence === 'always'
      run.doubtful ||= isDoubtful(read)
    },
    onCall: (_, argument, pointer) => {
      run.call = { argument, pointer }
    },
    onNote: note => {
      run.notes ??= []
      run.notes.push(note)
    },
    onItems: (_, items) => {
      run.items = items
    },
    runInner: (scope, arrival, item) => {
      const [outerRun, outerInput] = [run, outer]
      const solved = solveInner(scope, innerInput(scope, arrival, item, outer))
      run = outerRun
      outer = outerInput
      run.inner ??= new Map()
      run.inner.set(scope, solved)
      return solved.result
    },
  }
  const solve: Solve = (scope, input) => {
    const groups = inOrder(scope).map(states => states.map(toPlace))
    const places = groups.flat()
    const byName = new Map(places.map(place => [place.state.name, place]))
    const byEdge = new Map<Edge, Way>()
    const context = { ...listener, executionInput: input.executionInput, item: input.item }
    const send = (edge: Edge, from: StateNode, arrival: Arrival): void => {
      const target = byName.get(edge.to)
      const way = byEdge.get(edge)
      if (target === undefined || (way !== undefined && sameArrival(way.arrival, arrival))) return
      if (way === undefined) byEdge.set(edge, addWay(target, from, edge, arrival))
      else way.arrival = arrival
      target.changed = true
    }
    if (places[0] !== undefined) addWay(places[0], undefined, undefined, input.arrival)
    for (const group of groups) {
      for (let round = 0; group.some(place => place.changed); round += 1) {
        for (const place of group) {
          if (!place.changed) continue
          place.changed = false
          outer = input
          run = startRun()
          place.run = run
          const { departures, end } = transfer(place.state, joinWays(place.ways), context)
          if (end !== undefined) place.end = end
          for (const { edge, data, variables } of departures)
            send(edge, place.state, round < maxRounds ? { data, variables } : anything)
        }
      }
    }
    let result: Shape | undefined
    for (const { end } of places)
      if (end !== undefined) result = result === undefined ? end : join(result, end)
    return { places, input, result }
  }
  return solve
}

const anything: Arrival = { data: unknown, variables: unknown }

function sameArrival(a: Arrival, b: Arrival): boolean {
  return sameShape(a.data, b.data) && sameShape(a.variables, b.variables)
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

function joinWays(ways: readonly Way[]): Arrival {
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
