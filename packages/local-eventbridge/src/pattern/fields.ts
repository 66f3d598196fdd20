/** A value of an event that has no fields of its own, with the lists that it is in. */
export interface EventField {
  readonly value: unknown
  readonly places: readonly Place[]
}

export type EventFields = ReadonlyMap<string, readonly EventField[]>

/** An element of a list. */
interface Place {
  readonly list: readonly unknown[]
  readonly index: number
}

/**
 * The fields that have one of the names, by name: the keys on the way to them, joined by dots, so that
 * `{ "a.b": 1 }` and `{ "a": { "b": 1 } }` are the same. Lists leave no trace in a name.
 */
export function fieldsOf(event: unknown, names: ReadonlySet<string>): EventFields {
  const found = new Map<string, EventField[]>()
  const prefixes = new Set([...names].flatMap(prefixesOf))

  function visit(value: unknown, name: string, places: readonly Place[]): void {
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) {
        const isNested = typeof element === 'object' && element !== null
        visit(element, name, isNested ? [...places, { list: value, index }] : places)
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        const path = name === '' ? key : `${name}.${key}`
        if (prefixes.has(path)) visit(child, path, places)
      }
    } else if (names.has(name)) {
      const fields = found.get(name)
      if (fields) fields.push({ value, places })
      else found.set(name, [{ value, places }])
    }
  }
  if (!Array.isArray(event)) visit(event, '', [])
  return found
}

/** Whether two fields are not in different elements of the same list. */
export function isConsistent(one: EventField, other: EventField): boolean {
  return one.places.every(({ list, index }) =>
    other.places.every(place => place.list !== list || place.index === index),
  )
}

/** `a.b.c`: `a`, `a.b` and `a.b.c`. */
function prefixesOf(name: string): readonly string[] {
  const steps = name.split('.')
  return steps.map((_, index) => steps.slice(0, index + 1).join('.'))
}
