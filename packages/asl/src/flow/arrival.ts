import type { TaskContract } from '@stepwright/task'
import type { Edge, Scope, StateNode } from '../machine/machine.ts'
import { type Pointer, under } from '../source/pointer.ts'
import type { MapItem } from './context-object.ts'
import type { FlowNote, Read } from './environment.ts'
import { writeSteps } from './refine.ts'
import { always, type Field, type Origin, objectOf, ofType, type Shape } from './shape.ts'

/** The data and the variables with which a state is entered. */
export interface Arrival {
  readonly data: Shape
  readonly variables: Shape
}

export interface TransferContext {
  readonly findContract: (state: StateNode) => TaskContract | undefined
  /** `$$.Execution.Input`. */
  readonly executionInput: Shape
  readonly item: MapItem | undefined
  readonly record: (read: Read) => void
  /** Runs a branch or an item processor; its result is `undefined` where it never ends well. */
  readonly runInner: (scope: Scope, arrival: Arrival, item: MapItem | undefined) => Shape | undefined
  /** Told what a Task is called with. */
  readonly onCall?: (state: StateNode, argument: Shape, pointer: Pointer) => void
  /** Told of what cannot go well whatever is read. */
  readonly onNote?: (note: FlowNote) => void
  /** Told what a Map's items are. */
  readonly onItems?: (state: StateNode, items: Shape) => void
}

export interface Departure extends Arrival {
  readonly edge: Edge
}

export interface Transfer {
  readonly departures: readonly Departure[]
  /** What the scope's result is, if it ends here. */
  readonly end?: Shape
}

/** No variable is assigned. */
export const noVariables: Shape = objectOf(new Map(), { kind: 'other', text: 'the variables' })

export function templateOrigin(state: StateNode, field: string): Origin {
  return {
    kind: 'template',
    text: `the ${field} of "${state.name}"`,
  }
}

/** Out of a state by its Next, or to the end of its scope, besides the ways out that were found already. */
export function depart(state: StateNode, after: Arrival, others: readonly Departure[]): Transfer {
  const { data, variables } = after
  const next = state.edges.find(edge => edge.kind === 'next')
  const departures = next === undefined ? others : [{ data, variables, edge: next }, ...others]
  return state.ends ? { departures, end: data } : { departures }
}

export function addVariables(variables: Shape, made: Shape): Shape {
  if (made.kind === 'unknown' || made.object === undefined) return variables
  let after = variables
  for (const [name, { shape }] of made.object.fields)
    after = writeSteps(after, [{ kind: 'field', name }], shape)
  return after
}

const errorFields: ReadonlyMap<string, Field> = new Map([
  ['Error', always(ofType('string'))],
  ['Cause', always(ofType('string'))],
])

export function errorOutput(state: StateNode, edge: Edge, before: Shape): Shape {
  return objectOf(errorFields, {
    kind: 'catch',
    text: `the error output that catcher ${edge.index + 1} of "${state.name}" puts in place of the input`,
    catcher: { state, pointer: edge.pointer, before },
  })
}

/** A Choice without Default that does not take everything. */
export function noDefault(state: StateNode, unmatched: string): FlowNote {
  return {
    rule: 'routes/no-default',
    pointer: under(state.pointer, 'Choices'),
    message: `${unmatched} is taken by no rule: the execution fails with States.NoChoiceMatched.`,
    suggestion: 'Add a rule for it, or a Default.',
  }
}
