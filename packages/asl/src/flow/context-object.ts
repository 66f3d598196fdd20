import { type ContextField, contextFields } from '../facts/context-object.ts'
import type { StateNode } from '../machine/machine.ts'
import { integrationOf } from '../machine/resource.ts'
import { always, type Field, type Origin, objectOf, ofType, ofValue, type Shape, unknown } from './shape.ts'

/** `$$` is the same wherever it is read, but for what the state in hand adds. */
const contextOrigin: Origin = { kind: 'other', text: 'the context object' }

/** What a part of the context object holds; `known` says it of the fields of which more is known here. */
function part(
  fields: Readonly<Record<string, ContextField>>,
  known: Readonly<Record<string, Shape>> = {},
): Field {
  const made = new Map<string, Field>()
  for (const name of Object.keys(fields)) {
    const type = fields[name] as ContextField
    made.set(name, always(known[name] ?? (type === 'data' ? unknown : ofType(type))))
  }
  return always(objectOf(made, contextOrigin))
}

/** The item of the Map in which a state runs, or whose ItemSelector is being read. */
export interface MapItem {
  readonly value: Shape
}

const stateMachine = part(contextFields.StateMachine)
const task = part(contextFields.Task)
const executions = new WeakMap<Shape, Field>()

/** `$$.Execution`, which all states of an execution see alike. */
function executionWith(input: Shape): Field {
  const execution = executions.get(input) ?? part(contextFields.Execution, { Input: input })
  executions.set(input, execution)
  return execution
}

/** What `$$` holds in a state. */
export function contextObject(state: StateNode, executionInput: Shape, item: MapItem | undefined): Shape {
  const fields = new Map([
    ['Execution', executionWith(executionInput)],
    ['State', part(contextFields.State, { Name: ofValue(state.name) })],
    ['StateMachine', stateMachine],
  ])
  const { wait, kind } = integrationOf(state.fields['Resource'])
  if (state.type === 'Task' && (wait !== 'response' || kind === 'unknown')) fields.set('Task', task)
  if (item !== undefined) {
    const inMap = new Map([['Item', part(contextFields.MapItem, { Value: item.value })]])
    fields.set('Map', always(objectOf(inMap, contextOrigin)))
  }
  return objectOf(fields, contextOrigin)
}
