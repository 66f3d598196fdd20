import type { TargetWorkflow } from '../discover.ts'
import { type OpenDocument, type Position, placeAt, toRange } from './document.ts'
import { knownErrors } from './known-errors.ts'
import { stateAt, valueAt } from './state-names.ts'

/** What is known of the name at a position: of an error, or of the state that it leads to. */
export function hoverOf(
  { source }: OpenDocument,
  position: Position,
  workflow: TargetWorkflow | undefined,
): object | null {
  const place = placeAt(source, position)
  const range = toRange(source.locate(place.pointer, place.part))
  const state = stateAt(source, place)
  if (state !== undefined) {
    const { Type, Comment } = Object(valueAt(source.value, [...state.machine, 'States', state.name]))
    if (Type === undefined) return null
    return { contents: `${state.name}: ${Type}${Comment === undefined ? '' : `. ${Comment}`}`, range }
  }
  const name = valueAt(source.value, place.pointer)
  if (place.pointer.at(-2) !== 'ErrorEquals') return null
  const error = knownErrors(workflow).find(known => known.name === name)
  return error === undefined ? null : { contents: error.about, range }
}
