import type { StateNode } from '../machine/machine.ts'
import { under } from '../source/pointer.ts'
import type { Arrival, Transfer, TransferContext } from './arrival.ts'
import { contextObject } from './context-object.ts'
import type { Environment } from './environment.ts'
import { evaluateJsonata } from './evaluate-jsonata.ts'
import { evaluateText } from './evaluate-template.ts'
import { expectType } from './expect-type.ts'
import type { Origin, Shape } from './shape.ts'
import { transferJsonata } from './transfer-jsonata.ts'
import { transferJsonPath } from './transfer-jsonpath.ts'

/** What a state makes of its input, on every way out of it. */
export function transfer(state: StateNode, arrival: Arrival, context: TransferContext): Transfer {
  let contextShape: Shape | undefined
  const environment: Environment = {
    input: arrival.data,
    variables: arrival.variables,
    record: context.record,
    note: context.onNote,
    context: () => {
      contextShape ??= contextObject(state, context.executionInput, context.item)
      return contextShape
    },
  }
  if (state.type === 'Fail') {
    readFailure(state, environment)
    return { departures: [] }
  }
  return state.language === 'JSONata'
    ? transferJsonata(state, arrival, environment, context)
    : transferJsonPath(state, arrival, environment, context)
}

function readFailure(state: StateNode, environment: Environment): void {
  const origin: Origin = { kind: 'other', text: 'Fail' }
  for (const field of ['Error', 'Cause']) {
    const path = under(state.pointer, `${field}Path`)
    if (state.fields[`${field}Path`] !== undefined)
      expectType(evaluateText(state.fields[`${field}Path`], path, environment), path, environment)
    const at = under(state.pointer, field)
    if (state.language === 'JSONata' && state.fields[field] !== undefined)
      expectType(evaluateJsonata(state.fields[field], at, environment, origin), at, environment)
  }
}
