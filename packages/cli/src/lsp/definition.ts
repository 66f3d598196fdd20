import { type OpenMachine, type Position, placeAt, toRange } from './document.ts'
import { stateAt, statesOf } from './state-names.ts'

/** Where the state that is named at a position is. */
export function definitionOf({ uri, source }: OpenMachine, position: Position): object | null {
  const state = stateAt(source, placeAt(source, position))
  if (state === undefined || !statesOf(source, state.machine).includes(state.name)) return null
  return { uri, range: toRange(source.locate([...state.machine, 'States', state.name], 'key')) }
}
