import type { FindContract } from '../contract/contract.ts'
import type { Scope, StateNode } from '../machine/machine.ts'
import type { Pointer } from '../source/pointer.ts'
import type { Arrival } from './arrival.ts'
import type { FlowNote, Read } from './environment.ts'
import type { Shape } from './shape.ts'
import { createSolve, type Route, type Run, type ScopeInput, type Solved, type Way } from './solve.ts'
import { transfer } from './transfer.ts'

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
  /** What a state is given, once for each way into it. */
  readonly onArrival?: (state: StateNode, arrival: Arrival) => void
}

export interface AnalyzeOptions {
  readonly findContract: FindContract
  readonly observer: Observer
}

/** Follows the data through the machine, from the input to every state, and tells the observer what each state reads. */
export function analyze(machine: Scope, input: Arrival, options: AnalyzeOptions): void {
  const solve = createSolve(options.findContract)
  tell(solve(machine, { arrival: input, item: undefined, executionInput: input.data }), options)
}

/** What the states call and hold is told of the ways together, what they read of each way by itself. */
function tell(solved: Solved, options: AnalyzeOptions): void {
  const { onArrival, onCall, onItems, onNote, onRun, onState } = options.observer
  for (const { state, run, ways } of solved.places) {
    if (run === undefined) continue
    const readsBy = ({ arrival }: Way) => readsOf(state, arrival, run, solved.input, options)
    if (onArrival) for (const { arrival } of ways) onArrival(state, arrival)
    if (onRun) for (const way of ways) onRun(state, readsBy(way), way.arrival.variables)
    // what is there on all ways together is there on each of them
    if (ways.length > 1 ? !run.sure : run.doubtful)
      onState(
        state,
        ways.map(way => ({ ...way, reads: readsBy(way) })),
      )
    if (run.call !== undefined) onCall(state, run.call.argument, run.call.pointer)
    for (const note of run.notes ?? []) onNote(note)
    if (run.items !== undefined) onItems(state, run.items)
    for (const inner of run.inner?.values() ?? []) tell(inner, options)
  }
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
