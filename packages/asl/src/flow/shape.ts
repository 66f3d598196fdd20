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
  /** The members of a union of which it is one, as long as nothing was written into it. */
  readonly alternatives?: readonly ObjectShape[] | undefined
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

const types = new Map<JsonType, ReadonlySet<JsonType>>(
  (['null', 'boolean', 'number', 'string', 'object', 'array'] as const).map(type => [type, new Set([type])]),
)
export function only(type: JsonType): ReadonlySet<JsonType> {
  return types.get(type) as ReadonlySet<JsonType>
}

/** All known shapes are made here, so that the engine that runs this sees one kind of object. */
export function known(
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
export function clip(shape: Shape): Shape {
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

export function toArray(
  items: Shape,
  tuple: readonly Shape[] | undefined,
  maxItems: number | undefined,
  minItems: number | undefined,
): ArrayShape {
  return { items, tuple, maxItems, minItems, depth: depthOf(items) + 1 }
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

export function always(shape: Shape): Field {
  return { shape, presence: 'always', missing: undefined }
}
