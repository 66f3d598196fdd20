import { type ArrayShape, type JsonType, type ObjectShape, type Shape, unknown } from './shape.ts'

/** Whether two shapes say the same; where things come from does not matter. */
export function sameShape(a: Shape, b: Shape): boolean {
  if (a === b) return true
  if (a.kind === 'unknown' || b.kind === 'unknown') return a.kind === b.kind
  return (
    sameTypes(a.types, b.types) &&
    a.values?.length === b.values?.length &&
    (a.values ?? []).every((value, index) => value === b.values?.[index]) &&
    sameObject(a.object, b.object) &&
    sameArray(a.array, b.array)
  )
}

function sameTypes(a: ReadonlySet<JsonType>, b: ReadonlySet<JsonType>): boolean {
  if (a === b) return true
  if (a.size !== b.size) return false
  for (const type of a) if (!b.has(type)) return false
  return true
}

function sameObject(a: ObjectShape | undefined, b: ObjectShape | undefined): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined || a.rest !== b.rest || a.fields.size !== b.fields.size) return false
  if (!sameAlternatives(a.alternatives, b.alternatives)) return false
  for (const [name, field] of a.fields) {
    const other = b.fields.get(name)
    if (other === undefined || field.presence !== other.presence || !sameShape(field.shape, other.shape))
      return false
  }
  return true
}

function sameAlternatives(
  a: ObjectShape['alternatives'] = noAlternatives,
  b: ObjectShape['alternatives'] = noAlternatives,
): boolean {
  return a === b || (a.length === b.length && a.every((each, index) => sameObject(each, b[index])))
}

const noAlternatives: readonly ObjectShape[] = []

function sameArray(a: ArrayShape | undefined, b: ArrayShape | undefined): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined) return false
  return (
    a.maxItems === b.maxItems &&
    a.minItems === b.minItems &&
    a.tuple?.length === b.tuple?.length &&
    (a.tuple ?? []).every((shape, index) => sameShape(shape, b.tuple?.[index] ?? unknown)) &&
    sameShape(a.items, b.items)
  )
}
