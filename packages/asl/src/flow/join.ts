import {
  type ArrayShape,
  type Field,
  known,
  type ObjectShape,
  type Origin,
  type Scalar,
  type Shape,
  unknown,
} from './shape.ts'

const maxValues = 12

const elsewhere: Origin = { kind: 'schema', text: 'one of the values that it can be' }

/** What is known of a value that is one or the other. The origins say why a field is missing on that side. */
export function join(a: Shape, b: Shape, fromA: Origin = elsewhere, fromB: Origin = elsewhere): Shape {
  if (a === b) return a
  if (a.kind === 'unknown' || b.kind === 'unknown') return unknown
  const object = a.object && b.object ? joinObjects(a.object, b.object, fromA, fromB) : (a.object ?? b.object)
  const array = a.array && b.array ? joinArrays(a.array, b.array, fromA, fromB) : (a.array ?? b.array)
  const joined = a.types === b.types ? a.types : new Set([...a.types, ...b.types])
  return known(joined, object, array, joinValues(a.values, b.values))
}

function joinValues(
  a: readonly Scalar[] | undefined,
  b: readonly Scalar[] | undefined,
): readonly Scalar[] | undefined {
  if (a === undefined || b === undefined) return undefined
  const values = new Set([...a, ...b])
  return values.size <= maxValues ? [...values] : undefined
}

function joinArrays(a: ArrayShape, b: ArrayShape, fromA: Origin, fromB: Origin): ArrayShape {
  if (a === b) return a
  const same = a.tuple !== undefined && b.tuple !== undefined && a.tuple.length === b.tuple.length
  const tuple = same
    ? a.tuple?.map((shape, index) => join(shape, b.tuple?.[index] ?? unknown, fromA, fromB))
    : undefined
  // an array that is always empty says nothing of its items
  const items = a.maxItems === 0 ? b.items : b.maxItems === 0 ? a.items : join(a.items, b.items, fromA, fromB)
  const maxItems = both(a.maxItems, b.maxItems, Math.max)
  const minItems = both(a.minItems, b.minItems, Math.min)
  return { items, tuple, maxItems, minItems, depth: Math.max(a.depth, b.depth) }
}

function joinObjects(a: ObjectShape, b: ObjectShape, fromA: Origin, fromB: Origin): ObjectShape {
  if (a === b) return a
  const fields = new Map<string, Field>()
  const add = (name: string): void => {
    const field = joinFields(fieldOf(a, name, fromA), fieldOf(b, name, fromB), fromA, fromB)
    if (field !== undefined) fields.set(name, field)
  }
  for (const name of a.fields.keys()) add(name)
  for (const name of b.fields.keys()) if (!a.fields.has(name)) add(name)
  const rest = a.rest === 'maybe' || b.rest === 'maybe' ? 'maybe' : a.rest === b.rest ? a.rest : 'unmentioned'
  return {
    fields,
    rest,
    origin: a.origin === b.origin ? a.origin : b.origin,
    depth: Math.max(a.depth, b.depth),
  }
}

/** `undefined` where nothing is known of the field. */
function fieldOf(object: ObjectShape, name: string, from: Origin): Field | undefined {
  const field = object.fields.get(name)
  if (field !== undefined) return field
  if (object.rest === 'maybe') return undefined
  if (object.rest === 'unmentioned') return { shape: unknown, presence: 'sometimes', missing: object.origin }
  return { shape: unknown, presence: 'never', missing: object.origin.kind === 'catch' ? object.origin : from }
}

function joinFields(
  a: Field | undefined,
  b: Field | undefined,
  fromA: Origin,
  fromB: Origin,
): Field | undefined {
  if (a === b) return a
  if (a === undefined || b === undefined) {
    const known = a ?? b
    // the side that is not known may have it: only a field that can be missing stays on record
    return known?.presence === 'always' || known === undefined
      ? undefined
      : { ...known, shape: unknown, presence: 'sometimes' }
  }
  const shape =
    a.presence === 'never' ? b.shape : b.presence === 'never' ? a.shape : join(a.shape, b.shape, fromA, fromB)
  const presence = a.presence === b.presence ? a.presence : 'sometimes'
  return { shape, presence, missing: presence === 'always' ? undefined : (a.missing ?? b.missing) }
}

/** What comes of two numbers, where both are known. */
export function both(
  a: number | undefined,
  b: number | undefined,
  of: (a: number, b: number) => number,
): number | undefined {
  return a === undefined || b === undefined ? undefined : of(a, b)
}
