import { type Source, type StateTypes, stateTypesOf } from '@stepwright/asl'
import { checkOptionsOf } from '../check-file.ts'
import type { TargetWorkflow } from '../discover.ts'
import { type OpenMachine, type Position, placeAt, toRange } from './document.ts'
import { knownErrors } from './known-errors.ts'
import { stateAt, valueAt } from './state-names.ts'

/** What is known of the name at a position: of an error, or of the state that it leads to and of what that is given. */
export function hoverOf(
  { source, type }: OpenMachine,
  position: Position,
  workflow: TargetWorkflow | undefined,
): object | null {
  const place = placeAt(source, position)
  const range = toRange(source.locate(place.pointer, place.part))
  const state = stateAt(source, place)
  if (state !== undefined) {
    const pointer = [...state.machine, 'States', state.name]
    const { Type, Comment } = Object(valueAt(source.value, pointer))
    if (Type === undefined) return null
    const about = `${state.name}: ${Type}${Comment === undefined ? '' : `. ${Comment}`}`
    const types = typesOf(source, workflow, type).find(each => isSame(each.pointer, pointer))
    return { contents: { kind: 'markdown', value: [about, ...dataOf(types)].join('\n\n') }, range }
  }
  const name = valueAt(source.value, place.pointer)
  if (place.pointer.at(-2) !== 'ErrorEquals') return null
  const error = knownErrors(workflow).find(known => known.name === name)
  return error === undefined ? null : { contents: error.about, range }
}

function dataOf(types: StateTypes | undefined): readonly string[] {
  if (types?.input === undefined || types.input === 'unknown') return []
  return [`\`\`\`ts\ninput: ${types.input}\n\`\`\``]
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index])
}

/** Found once for each text: it costs as much as checking it. */
const known = new WeakMap<Source, readonly StateTypes[]>()

function typesOf(
  source: Source,
  workflow: TargetWorkflow | undefined,
  type: OpenMachine['type'],
): readonly StateTypes[] {
  const types = known.get(source) ?? stateTypesOf(source.value, checkOptionsOf(workflow, type))
  known.set(source, types)
  return types
}
