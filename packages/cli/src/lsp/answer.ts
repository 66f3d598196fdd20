import { checkWorkflow, type Finding, fixWorkflow, type Source } from '@stepwright/asl'
import { withoutAccepted } from '../accepted.ts'
import { checkOptionsOf } from '../check-file.ts'
import type { TargetWorkflow } from '../discover.ts'
import {
  type OpenDocument,
  offsetOf,
  type Position,
  placeAt,
  type Range,
  toRange,
  wholeRange,
} from './document.ts'
import { knownErrors } from './known-errors.ts'
import { machineAt, referencesTo, stateAt, statesOf, valueAt } from './state-names.ts'

const severities = { error: 1, warning: 2, info: 3 } as const
const completionKinds = { state: 18, error: 20 } as const // Reference, EnumMember

interface TextEdit {
  readonly range: Range
  readonly newText: string
}

function findingsOf(source: Source, workflow: TargetWorkflow | undefined): readonly Finding[] {
  return withoutAccepted(checkWorkflow(source, checkOptionsOf(workflow)), workflow?.accept ?? [], source.file)
}

/** What the checker finds, as diagnostics. */
export function diagnosticsOf(
  { source }: OpenDocument,
  workflow: TargetWorkflow | undefined,
): readonly object[] {
  return findingsOf(source, workflow).map(({ rule, severity, message, suggestion, ...place }) => ({
    range: {
      start: { line: place.line - 1, character: place.column - 1 },
      end: { line: place.endLine - 1, character: place.endColumn - 1 },
    },
    severity: severities[severity],
    source: 'stepwright',
    code: rule,
    message: suggestion === undefined ? message : `${message}\n${suggestion}`,
  }))
}

/** What can stand between the quotes at a position: names of states or of errors. */
export function completionsOf(
  { source, whole }: OpenDocument,
  position: Position,
  workflow: TargetWorkflow | undefined,
): readonly object[] {
  const before = source.text.slice(0, offsetOf(source, position))
  if (/"?(?:Next|Default|StartAt)"?\s*:\s*"?[^",\n]*$/.test(before)) {
    const { pointer } = placeAt(whole, position)
    const names = statesOf(whole, machineAt(pointer))
    return names.map(label => ({ label, kind: completionKinds.state }))
  }
  if (!/"?ErrorEquals"?\s*:\s*\[?[^\]{}]*$/.test(before)) return []
  return knownErrors(workflow).map(({ name, about }) => ({
    label: name,
    kind: completionKinds.error,
    documentation: about,
  }))
}

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

/** Where the state that is named at a position is. */
export function definitionOf({ uri, source }: OpenDocument, position: Position): object | null {
  const state = stateAt(source, placeAt(source, position))
  if (state === undefined || !statesOf(source, state.machine).includes(state.name)) return null
  return { uri, range: toRange(source.locate([...state.machine, 'States', state.name], 'key')) }
}

/** The edits that give the state at a position another name; a sentence where that cannot be. */
export function renameState(
  { uri, source }: OpenDocument,
  position: Position,
  newName: string,
): { readonly changes: Readonly<Record<string, readonly TextEdit[]>> } | string {
  const state = stateAt(source, placeAt(source, position))
  if (state === undefined) return 'There is no name of a state here.'
  if (source.format !== 'json') return 'States can be renamed in JSON only.'
  if (newName.length === 0 || newName.length > 80) return "A state's name must have 1 to 80 characters."
  if (statesOf(source, state.machine).includes(newName)) return `There is a state ${newName} already.`
  const edits = referencesTo(source, state.name, state.machine).map(({ pointer, part }) => ({
    range: toRange(source.locate(pointer, part)),
    newText: JSON.stringify(newName),
  }))
  return { changes: { [uri]: edits } }
}

/** What `stepwright check --fix` would do. */
export function codeActionsOf(
  { uri, source }: OpenDocument,
  workflow: TargetWorkflow | undefined,
): readonly object[] {
  const fixed = source.broken
    ? source.text
    : fixWorkflow(source.text, { ...checkOptionsOf(workflow), file: source.file })
  if (fixed === source.text) return []
  return [
    {
      title: 'Write Retry and Catch as the errors of the tasks say',
      kind: 'quickfix',
      edit: { changes: { [uri]: [{ range: wholeRange(source), newText: fixed }] } },
    },
  ]
}
