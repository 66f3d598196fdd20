import type { StateNode } from '../machine/machine.ts'
import type { Pointer } from '../source/pointer.ts'

/**
 * What is known of a JSON value before anything runs. `unknown` is any value at all;
 * a known shape is one of its types, with what each of them holds.
 */
export type Shape = UnknownShape | KnownShape

export interface UnknownShape {
  readonly kind: 'unknown'
}

export interface KnownShape {
  readonly kind: 'known'
  readonly types: ReadonlySet<JsonType>
  /** All values that it can have, for scalars of which they are known. */
  readonly values: readonly Scalar[] | undefined
  readonly object: ObjectShape | undefined
  readonly array: ArrayShape | undefined
}

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'object' | 'array'
export type Scalar = string | number | boolean | null

export interface ObjectShape {
  readonly fields: ReadonlyMap<string, Field>
  /** Fields that are not listed: there are none, there may be some, or a schema does not speak of them. */
  readonly rest: 'none' | 'maybe' | 'unmentioned'
  readonly origin: Origin
  readonly depth: number
}

export interface Field {
  readonly shape: Shape
  readonly presence: 'always' | 'sometimes' | 'never'
  /** Why it is missing, where it is. */
  readonly missing?: Origin | undefined
}

export interface ArrayShape {
  readonly items: Shape
  /** The shapes of the elements one by one, for arrays of known length. */
  readonly tuple: readonly Shape[] | undefined
  /** The most elements it can have, `Infinity` where a schema sets no end; `undefined` where nothing is known. */
  readonly maxItems: number | undefined
  /** The fewest that it has; `undefined` where nothing is known. */
  readonly minItems: number | undefined
  readonly depth: number
}

/** Where an object comes from, or why a field of it is missing. */
export interface Origin {
  readonly kind: 'input' | 'schema' | 'template' | 'route' | 'test' | 'catch' | 'other'
  /** As it reads after "in" or "by": `the result of "Validate"`. */
  readonly text: string
  /** For `catch`: the catcher whose error output took the input's place, and that input. */
  readonly catcher?: { readonly state: StateNode; readonly pointer: Pointer; readonly before: Shape }
}

export function isScalar(value: unknown): value is Scalar {
  return (
    value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  )
}

export const unknown: Shape = { kind: 'unknown' }

const deepest = 12
const maxValues = 12

const types = new Map<JsonType, ReadonlySet<JsonType>>(
  (['null', 'boolean', 'number', 'string', 'object', 'array'] as const).map(type => [type, new Set([type])]),
)
function only(type: JsonType): ReadonlySet<JsonType> {
  return types.get(type) as ReadonlySet<JsonType>
}

/** All known shapes are made here, so that the engine that runs this sees one kind of object. */
function known(
  ofTypes: ReadonlySet<JsonType>,
  object: ObjectShape | undefined,
  array: ArrayShape | undefined,
  values: readonly Scalar[] | undefined,
): KnownShape {
  return { kind: 'known', types: ofTypes, values, object, array }
}

export function ofType(type: Exclude<JsonType, 'object' | 'array'>): Shape {
  return known(only(type), undefined, undefined, undefined)
}

export function ofValue(value: Scalar): Shape {
  const type = value === null ? 'null' : (typeof value as 'string' | 'number' | 'boolean')
  return known(only(type), undefined, undefined, [value])
}

function depthOf(shape: Shape): number {
  return shape.kind === 'unknown' ? 0 : Math.max(shape.object?.depth ?? 0, shape.array?.depth ?? 0)
}

/** Loops can nest data without end, so what is nested too deeply counts as unknown. */
function clip(shape: Shape): Shape {
  return depthOf(shape) >= deepest ? unknown : shape
}

export function objectOf(
  given: ReadonlyMap<string, Field>,
  origin: Origin,
  rest: ObjectShape['rest'] = 'none',
): Shape {
  let depth = 0
  for (const { shape } of given.values()) depth = Math.max(depth, depthOf(shape))
  const fields =
    depth < deepest
      ? given
      : new Map([...given].map(([name, field]) => [name, { ...field, shape: clip(field.shape) }]))
  const object = { fields, rest, origin, depth: Math.min(depth, deepest - 1) + 1 }
  return known(only('object'), object, undefined, undefined)
}

export function arrayOf(given: Shape, maxItems?: number | undefined, minItems?: number | undefined): Shape {
  return known(only('array'), undefined, toArray(clip(given), undefined, maxItems, minItems), undefined)
}

function toArray(
  items: Shape,
  tuple: readonly Shape[] | undefined,
  maxItems: number | undefined,
  minItems: number | undefined,
): ArrayShape {
  return { items, tuple, maxItems, minItems, depth: depthOf(items) + 1 }
}

export function tupleOf(elements: readonly Shape[]): Shape {
  const tuple = elements.map(clip)
  const items = tuple.length === 0 ? unknown : tuple.reduce((sum, each) => join(sum, each))
  return known(only('array'), undefined, toArray(items, tuple, tuple.length, tuple.length), undefined)
}

const allTypes: ReadonlySet<JsonType> = new Set(types.keys())

/** Any value, of which the fields are known that it has if it is an object. */
export function anythingWith(fields: ReadonlyMap<string, Field>, origin: Origin): Shape {
  const object: ObjectShape = { fields, rest: 'maybe', origin, depth: 1 }
  return known(allTypes, object, toArray(unknown, undefined, undefined, undefined), undefined)
}

/** The same value where it is of fewer types. */
export function keepTypes(shape: KnownShape, keep: (type: JsonType) => boolean): KnownShape {
  const kept = new Set([...shape.types].filter(keep))
  return known(
    kept,
    kept.has('object') ? shape.object : undefined,
    kept.has('array') ? shape.array : undefined,
    undefined,
  )
}

/** Whether a value can be of any type at all. */
export function isAnything(shape: Shape): boolean {
  return shape.kind === 'unknown' || shape.types.size === allTypes.size
}

/** The list that a value can be, and the rest of what it can be. */
export function splitList(shape: KnownShape): readonly [KnownShape | undefined, KnownShape | undefined] {
  if (!shape.types.has('array')) return [undefined, shape]
  if (shape.types.size === 1) return [shape, undefined]
  return [keepTypes(shape, type => type === 'array'), keepTypes(shape, type => type !== 'array')]
}

/** What a list holds, and how much of it; a value that is no list counts as a list of one. */
export type Content = Pick<ArrayShape, 'items' | 'minItems' | 'maxItems'>

export function contentOf(shape: Shape): Content {
  if (shape.kind === 'unknown') return { items: unknown, minItems: undefined, maxItems: undefined }
  const [list, other] = splitList(shape)
  const { items = unknown, minItems, maxItems } = list?.array ?? {}
  if (other === undefined) return { items, minItems, maxItems }
  if (list === undefined) return { items: other, minItems: 1, maxItems: 1 }
  return {
    items: join(items, other),
    minItems: both(minItems, 1, Math.min),
    maxItems: both(maxItems, 1, Math.max),
  }
}

/** One list of all that the lists hold. */
export function listOf(contents: readonly Content[]): Shape {
  const there = contents.filter(({ maxItems }) => maxItems !== 0)
  const items =
    there.length === 0 ? unknown : there.map(each => each.items).reduce((sum, each) => join(sum, each))
  const add = (a: number | undefined, b: number | undefined): number | undefined =>
    both(a, b, (x, y) => x + y)
  return arrayOf(
    items,
    there.map(each => each.maxItems).reduce(add, 0),
    there.map(each => each.minItems).reduce(add, 0),
  )
}

export function always(shape: Shape): Field {
  return { shape, presence: 'always', missing: undefined }
}

const elsewhere: Origin = { kind: 'other', text: 'one of the ways here' }

/** What is known of a value that is one or the other. The origins say why a field is missing on that side. */
export function join(a: Shape, b: Shape, fromA: Origin = elsewhere, fromB: Origin = elsewhere): Shape {
  if (a === b) return a
  if (a.kind === 'unknown' || b.kind === 'unknown') return unknown
  const object = a.object && b.object ? joinObjects(a.object, b.object, fromA, fromB) : (a.object ?? b.object)
  const array = a.array && b.array ? joinArrays(a.array, b.array) : (a.array ?? b.array)
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

function joinArrays(a: ArrayShape, b: ArrayShape): ArrayShape {
  if (a === b) return a
  const same = a.tuple !== undefined && b.tuple !== undefined && a.tuple.length === b.tuple.length
  const tuple = same ? a.tuple?.map((shape, index) => join(shape, b.tuple?.[index] ?? unknown)) : undefined
  // an array that is always empty says nothing of its items
  const items = a.maxItems === 0 ? b.items : b.maxItems === 0 ? a.items : join(a.items, b.items)
  const maxItems = both(a.maxItems, b.maxItems, Math.max)
  const minItems = both(a.minItems, b.minItems, Math.min)
  return { items, tuple, maxItems, minItems, depth: Math.max(a.depth, b.depth) }
}

/** What comes of two numbers, where both are known. */
function both(
  a: number | undefined,
  b: number | undefined,
  of: (a: number, b: number) => number,
): number | undefined {
  return a === undefined || b === undefined ? undefined : of(a, b)
}

function joinObjects(a: ObjectShape, b: ObjectShape, fromA: Origin, fromB: Origin): ObjectShape {
  if (a === b) return a
  const fields = new Map<string, Field>()
  const add = (name: string): void => {
    const field = joinFields(fieldOf(a, name, fromA), fieldOf(b, name, fromB))
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

function joinFields(a: Field | undefined, b: Field | undefined): Field | undefined {
  if (a === b) return a
  if (a === undefined || b === undefined) {
    const known = a ?? b
    // the side that is not known may have it: only a field that can be missing stays on record
    return known?.presence === 'always' || known === undefined
      ? undefined
      : { ...known, shape: unknown, presence: 'sometimes' }
  }
  const shape = a.presence === 'never' ? b.shape : b.presence === 'never' ? a.shape : join(a.shape, b.shape)
  const presence = a.presence === b.presence ? a.presence : 'sometimes'
  return { shape, presence, missing: presence === 'always' ? undefined : (a.missing ?? b.missing) }
}

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
  for (const [name, field] of a.fields) {
    const other = b.fields.get(name)
    if (other === undefined || field.presence !== other.presence || !sameShape(field.shape, other.shape))
      return false
  }
  return true
}

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
