import type { TaskContract } from '@stepwright/task'
import type { Edge, Scope, StateNode } from '../machine/machine.ts'
import type { Pointer } from '../source/pointer.ts'
import { writeSteps } from './access.ts'
import type { MapItem } from './context-object.ts'
import type { FlowNote, Read } from './environment.ts'
import { always, type Origin, objectOf, ofType, type Shape } from './shape.ts'

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

export function depart(state: StateNode, after: Arrival, others: readonly Departure[]): Transfer {
  return {
    departures: [
      ...state.edges.filter(edge => edge.kind === 'next').map(edge => ({ ...after, edge })),
      ...others,
    ],
    ...(state.ends && { end: after.data }),
  }
}

export function addVariables(variables: Shape, made: Shape): Shape {
  if (made.kind === 'unknown' || made.object === undefined) return variables
  let after = variables
  for (const [name, { shape }] of made.object.fields)
    after = writeSteps(after, [{ kind: 'field', name }], shape)
  return after
}

export function errorOutput(state: StateNode, edge: Edge, before: Shape): Shape {
  const text = ofType('string')
  const origin: Origin = {
    kind: 'catch',
    text: `the error output that catcher ${edge.index + 1} of "${state.name}" puts in place of the input`,
    catcher: { state, pointer: edge.pointer, before },
  }
  return objectOf(
    new Map([
      ['Error', always(text)],
      ['Cause', always(text)],
    ]),
    origin,
  )
}
