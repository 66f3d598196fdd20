import type { State, StateMachine } from '@stepwright/asl'

/** A state by its JSON Pointer. */
export function stateAt(definition: StateMachine, id: string): State | undefined {
  let value: unknown = definition
  for (const part of id.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[key]
  }
  return value as State
}
