import type { TargetWorkflow } from '../discover.ts'
import { completePath } from './complete-path.ts'
import { type OpenDocument, offsetOf, type Position, placeAt } from './document.ts'
import { knownErrors } from './known-errors.ts'
import { machineAt, statesOf } from './state-names.ts'

const kinds = { state: 18, error: 20 } as const // Reference, EnumMember

const leadsTo = /"?(?:Next|Default|StartAt)"?\s*:\s*["']?[^"',\n]*$/
/** Inside the brackets of a list, or behind the dash of one of YAML. */
const inErrors = {
  json: /"ErrorEquals"\s*:\s*\[[^\]{}]*$/,
  yaml: /\bErrorEquals["']?:(?:\s*\[[^\]]*|(?:\s*\n\s*-\s*[^\n:]*)*)$/,
} as const

/** What can stand at a position: names of states or of errors, fields of the data, variables. */
export function completionsOf(
  document: OpenDocument,
  position: Position,
  workflow: TargetWorkflow | undefined,
): readonly object[] {
  const { source, whole } = document
  const before = source.text.slice(0, offsetOf(source, position))
  if (leadsTo.test(before)) {
    const { pointer } = placeAt(whole, position)
    const names = statesOf(whole, machineAt(pointer))
    return names.map(label => ({ label, kind: kinds.state }))
  }
  if (!inErrors[source.format].test(before)) return completePath(document, position, workflow)
  return knownErrors(workflow).map(({ name, about }) => ({
    label: name,
    kind: kinds.error,
    documentation: about,
  }))
}
