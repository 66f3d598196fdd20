import { type OpenMachine, type Position, placeAt, toRange } from './document.ts'
import { referencesTo, stateAt, statesOf } from './state-names.ts'
import type { TextEdit } from './text-edit.ts'

/** What YAML reads as text without quotes, and as nothing else. */
const plain = /^(?!(?:true|false|null|yes|no|on|off|y|n|~)$)[\p{L}_][\p{L}\p{N}_ -]*(?<! )$/iu

/** The edits that give the state at a position another name; a sentence where that cannot be. */
export function renameState(
  { uri, source, logicalId }: OpenMachine,
  position: Position,
  newName: string,
): { readonly changes: Readonly<Record<string, readonly TextEdit[]>> } | string {
  const state = stateAt(source, placeAt(source, position))
  if (state === undefined) return 'There is no name of a state here.'
  if (source.broken) return 'The text has to be readable to its end before a state can be renamed.'
  if (newName.length === 0 || newName.length > 80) return "A state's name must have 1 to 80 characters."
  if (statesOf(source, state.machine).includes(newName)) return `There is a state ${newName} already.`
  const places = referencesTo(source, state.name, state.machine).map(({ pointer, part }) =>
    source.locate(pointer, part),
  )
  const isAsWritten = places.every(({ start, end }) => {
    const written = source.text.slice(start, end)
    return [state.name, `"${state.name}"`, `'${state.name}'`].includes(written)
  })
  if (logicalId !== undefined && !isAsWritten)
    return 'The name is written with escapes here: rename the state where the definition is written.'
  const isQuoted = places.every(({ start }) => source.text[start] === '"')
  const isPlain = source.format === 'yaml' && !isQuoted && plain.test(newName)
  const newText = isPlain ? newName : JSON.stringify(newName)
  return { changes: { [uri]: places.map(place => ({ range: toRange(place), newText })) } }
}
