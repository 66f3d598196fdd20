import type { CheckOptions } from './check-workflow.ts'
import { join } from './flow/join.ts'
import { keepTypes, objectOf, type Shape, unknown } from './flow/shape.ts'
import { typeText } from './flow/type-text.ts'
import { followData } from './follow-data.ts'
import type { Json, StateType } from './language.ts'
import { buildMachine, type StateNode, statesOf } from './machine/machine.ts'
import { integrationOf } from './machine/resource.ts'
import type { Pointer } from './source/pointer.ts'

/** What is known of the data of a state before anything runs, as types of TypeScript. */
export interface StateTypes {
  readonly name: string
  readonly type: StateType
  readonly pointer: Pointer
  /** What the state is given; `undefined` where nothing leads to it. */
  readonly input: string | undefined
  /** What a Task calls with: for `lambda:invoke` the payload. */
  readonly argument: string | undefined
}

/** The types of the data of every state, in the order in which they are written. */
export function stateTypesOf(definition: Json, options: CheckOptions = {}): readonly StateTypes[] {
  const machine = buildMachine(definition)
  if (machine === undefined) return []
  const inputs = new Map<StateNode, Shape>()
  const calls = new Map<StateNode, Shape>()
  const add = (shapes: Map<StateNode, Shape>, state: StateNode, shape: Shape): void => {
    const before = shapes.get(state)
    shapes.set(state, before === undefined ? shape : join(before, shape))
  }
  followData(machine, options, {
    onArrival: (state, { data }) => add(inputs, state, data),
    onCall: (state, argument) => add(calls, state, receivedFrom(state, argument)),
  })
  return statesOf(machine).map(state => ({
    name: state.name,
    type: state.type,
    pointer: state.pointer,
    input: textOf(inputs.get(state)),
    argument: textOf(calls.get(state)),
  }))
}

/** Through `lambda:invoke` a text is read as JSON, and null becomes an empty object. */
function receivedFrom({ fields }: StateNode, argument: Shape): Shape {
  const { kind } = integrationOf(fields['Resource'])
  if (kind !== 'lambda-invoke' || argument.kind === 'unknown') return argument
  if (argument.types.has('string')) return unknown
  if (!argument.types.has('null')) return argument
  const empty = objectOf(new Map(), { kind: 'other', text: 'no payload' })
  const others = keepTypes(argument, type => type !== 'null')
  return others.types.size === 0 ? empty : join(others, empty)
}

function textOf(shape: Shape | undefined): string | undefined {
  return shape && typeText(shape)
}
