import type { Json, Pointer, Source } from '@stepwright/asl'

interface Fields {
  readonly [key: string]: Json
}

/** Where a state's name stands: as a key among the states, and wherever a state leads to it. */
export interface StateReference {
  readonly pointer: Pointer
  readonly part: 'key' | 'value'
}

export function valueAt(value: Json, pointer: Pointer): Json | undefined {
  let found: Json | undefined = value
  for (const key of pointer) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Fields)[key as string]
  }
  return found
}

function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The machine that a place is in: the whole, a branch, or the processor of a Map. */
export function machineAt(pointer: Pointer): Pointer {
  if (pointer.at(-1) === 'StartAt') return pointer.slice(0, -1)
  let machine: Pointer = []
  for (let index = 0; index < pointer.length; index += 1) {
    if (pointer[index] !== 'States') continue
    machine = pointer.slice(0, index)
    index += 1 // a state's name, which may be States
  }
  return machine
}

/** The names that states of that machine may lead to. */
export function statesOf({ value }: Source, machine: Pointer): readonly string[] {
  const states = valueAt(value, [...machine, 'States'])
  return isFields(states) ? Object.keys(states) : []
}

/** The name that stands at a place, if it is a state's, and the machine that it belongs to. */
export function stateAt(
  { value }: Source,
  { pointer, part }: StateReference,
): { readonly name: string; readonly machine: Pointer } | undefined {
  const last = pointer.at(-1)
  if (part === 'key') {
    const isState = pointer.at(-2) === 'States' && typeof last === 'string'
    return isState ? { name: last, machine: pointer.slice(0, -2) } : undefined
  }
  const name = valueAt(value, pointer)
  const leads = last === 'Next' || last === 'Default' || last === 'StartAt'
  return leads && typeof name === 'string' ? { name, machine: machineAt(pointer) } : undefined
}

/** Everywhere that a state of a machine is named. */
export function referencesTo({ value }: Source, name: string, machine: Pointer): readonly StateReference[] {
  const found: StateReference[] = []
  const look = (pointer: Pointer): void => {
    if (valueAt(value, pointer) === name) found.push({ pointer, part: 'value' })
  }
  look([...machine, 'StartAt'])
  const states = valueAt(value, [...machine, 'States'])
  for (const [key, state] of Object.entries(isFields(states) ? states : {})) {
    const pointer = [...machine, 'States', key]
    if (key === name) found.push({ pointer, part: 'key' })
    look([...pointer, 'Next'])
    look([...pointer, 'Default'])
    for (const field of ['Choices', 'Catch']) {
      const list = isFields(state) ? state[field] : undefined
      if (!Array.isArray(list)) continue
      for (const index of list.keys()) look([...pointer, field, index, 'Next'])
    }
  }
  return found
}
