import type { Json, JsonObject } from '@stepwright/asl'
import type { Diagnostic } from './diagnostic.ts'

/** Where every transition of a machine leads, as Step Functions itself puts it. */
export function diagnoseTransitions(machine: Json, place = ''): Diagnostic[] {
  if (!isObject(machine) || !isObject(machine['States'])) return []
  const states = machine['States']
  const names = Object.keys(states)
  if (names.length === 0) return []
  const targets = [
    { from: undefined, target: machine['StartAt'], location: `${place}/StartAt` },
    ...names.flatMap(from => {
      const state = states[from]
      return isObject(state)
        ? transitionsOf(state, `${place}/States/${from}`).map(each => ({ from, ...each }))
        : []
    }),
  ]
  const missing = targets
    .filter(({ target }) => typeof target === 'string' && !Object.hasOwn(states, target))
    .map(({ target, location }) => problem(`Missing 'Next' target: ${target}`, location))
  const inner = names.flatMap(name =>
    innerMachines(states[name], `${place}/States/${name}`).flatMap(([each, at]) =>
      diagnoseTransitions(each, at),
    ),
  )
  if (!names.some(name => isTerminal(states[name]))) return [...missing, noEnd, ...inner]
  const unreached = names
    .filter(name => !targets.some(({ from, target }) => target === name && from !== name))
    .map(name => problem(`State "${name}" is not reachable.`, `${place}/States/${name}`))
  return [...missing, ...unreached, ...inner]
}

/** It concerns no place in particular, and has none on AWS either. */
const noEnd: Diagnostic = {
  severity: 'ERROR',
  code: 'MISSING_END_STATE',
  message: 'Workflow has no terminal state',
}

function problem(message: string, location: string): Diagnostic {
  return { severity: 'ERROR', code: 'MISSING_TRANSITION_TARGET', message, location }
}

function transitionsOf(
  state: JsonObject,
  place: string,
): { readonly target: Json | undefined; readonly location: string }[] {
  return [
    { target: state['Next'], location: `${place}/Next` },
    { target: state['Default'], location: `${place}/Default` },
    ...['Choices', 'Catch'].flatMap(field =>
      listOf(state[field]).map((entry, index) => ({
        target: isObject(entry) ? entry['Next'] : undefined,
        location: `${place}/${field}[${index}]/Next`,
      })),
    ),
  ]
}

/** The machines inside a state, and where. */
export function innerMachines(state: Json | undefined, place: string): (readonly [Json, string])[] {
  if (!isObject(state)) return []
  return [
    ...listOf(state['Branches']).map((branch, index) => [branch, `${place}/Branches[${index}]`] as const),
    ...['ItemProcessor', 'Iterator'].flatMap(field => {
      const processor = state[field]
      return processor === undefined ? [] : [[processor, `${place}/${field}`] as const]
    }),
  ]
}

function isTerminal(state: Json | undefined): boolean {
  return !isObject(state) || state['End'] === true || state['Type'] === 'Succeed' || state['Type'] === 'Fail'
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
