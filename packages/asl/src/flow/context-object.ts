import type { StateNode } from '../machine/machine.ts'
import { integrationOf } from '../machine/resource.ts'
import { always, type Field, type Origin, objectOf, ofType, ofValue, type Shape, unknown } from './shape.ts'

/** `$$` is the same wherever it is read, but for what the state in hand adds. */
const contextOrigin: Origin = { kind: 'other', text: 'the context object' }

const text = always(ofType('string'))
const number = always(ofType('number'))

function object(fields: Readonly<Record<string, Field>>): Field {
  return always(objectOf(new Map(Object.entries(fields)), contextOrigin))
}

/** The item of the Map in which a state runs, or whose ItemSelector is being read. */
export interface MapItem {
  readonly value: Shape
}

/** What `$$` holds in a state. */
export function contextObject(state: StateNode, executionInput: Shape, item: MapItem | undefined): Shape {
  const fields: Record<string, Field> = {
    Execution: object({
      Id: text,
      Input: always(executionInput),
      Name: text,
      RoleArn: text,
      StartTime: text,
      RedriveCount: number,
      RedriveTime: text,
    }),
    State: object({ EnteredTime: text, Name: always(ofValue(state.name)), RetryCount: number }),
    StateMachine: object({ Id: text, Name: text }),
  }
  const { wait, kind } = integrationOf(state.fields['Resource'])
  if (state.type === 'Task' && (wait !== 'response' || kind === 'unknown'))
    fields['Task'] = object({ Token: text })
  if (item !== undefined) {
    const itemFields = {
      Index: number,
      Value: always(item.value),
      Key: always(unknown),
      Source: always(unknown),
    }
    fields['Map'] = object({ Item: object(itemFields) })
  }
  return objectOf(new Map(Object.entries(fields)), contextOrigin)
}
