import type { PathStep } from '../expressions/syntax.ts'
import {
  type ArrayShape,
  always,
  arrayOf,
  type Field,
  join,
  type KnownShape,
  type ObjectShape,
  type Origin,
  objectOf,
  type Shape,
  unknown,
} from './shape.ts'

/** What reading a path finds. */
export interface Access {
  readonly shape: Shape
  /** `unknown` where nothing is known of the place. */
  readonly presence: 'always' | 'sometimes' | 'never' | 'unknown'
  readonly missing?: Origin
  /** The number of the step that finds nothing. */
  readonly failedAt?: number
  /** The fields that are there instead, where they are known. */
  readonly available?: readonly string[]
}

const unknownAccess: Access = { shape: unknown, presence: 'unknown' }

/** Reads a path as JSONPath does. */
export function readSteps(from: Shape, steps: readonly PathStep[]): Access {
  const access = followSteps(from, steps)
  // a path that can match many finds an empty array where it matches nothing
  return steps.some(isMany)
    ? { shape: access.presence === 'never' ? arrayOf(unknown) : access.shape, presence: 'unknown' }
    : access
}

function followSteps(from: Shape, steps: readonly PathStep[]): Access {
  let shape = from
  let presence: Access['presence'] = 'always'
  let weak: Pick<Access, 'missing' | 'failedAt'> = {}
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index] as PathStep
    if (step.kind === 'function' && presence === 'sometimes') return { shape: unknown, presence, ...weak }
    if (step.kind !== 'field' && step.kind !== 'index')
      return { shape: afterMany(shape, step.kind, steps.length - index === 1), presence: 'unknown' }
    const access = step.kind === 'field' ? readField(shape, step.name) : readIndex(shape, step.index)
    if (access.presence === 'never') return { ...access, failedAt: index }
    if (access.presence === 'unknown')
      return presence === 'sometimes' ? { shape: unknown, presence, ...weak } : unknownAccess
    if (access.presence === 'sometimes' && presence === 'always') {
      presence = 'sometimes'
      weak = { failedAt: index, ...(access.missing && { missing: access.missing }) }
    }
    shape = access.shape
  }
  return { shape, presence, ...weak }
}

/** Steps other than a field and an index can match any number of values; the length is that of one value. */
function isMany(step: PathStep): boolean {
  return (
    step.kind !== 'field' && step.kind !== 'index' && !(step.kind === 'function' && step.name === 'length')
  )
}

function afterMany(shape: Shape, kind: PathStep['kind'], last: boolean): Shape {
  if (kind === 'wildcard' && last && shape.kind === 'known' && shape.array !== undefined) {
    return arrayOf(shape.array.items, shape.array.maxItems)
  }
  return kind === 'function' || kind === 'fields' ? unknown : arrayOf(unknown)
}

function readField(shape: Shape, name: string): Access {
  if (shape.kind === 'unknown') return unknownAccess
  const { object } = shape
  if (object === undefined) return { shape: unknown, presence: 'never' }
  const field = object.fields.get(name)
  const elseNone = shape.types.size > 1
  if (field === undefined) {
    if (object.rest === 'maybe') return unknownAccess
    if (object.rest === 'unmentioned')
      return { shape: unknown, presence: 'sometimes', missing: object.origin }
    const available = [...object.fields]
      .filter(([, { presence }]) => presence !== 'never')
      .map(([key]) => key)
    return { shape: unknown, presence: 'never', missing: object.origin, available }
  }
  if (field.presence === 'always' && elseNone)
    return { shape: field.shape, presence: 'sometimes', missing: object.origin }
  return { shape: field.shape, presence: field.presence, ...(field.missing && { missing: field.missing }) }
}

export const shortList: Origin = { kind: 'schema', text: 'a list that may be too short' }

function readIndex(shape: Shape, index: number): Access {
  if (shape.kind === 'unknown') return unknownAccess
  const { array } = shape
  if (array === undefined) return { shape: unknown, presence: 'never' }
  if (array.maxItems !== undefined && (index < 0 ? -index > array.maxItems : index >= array.maxItems))
    return { shape: unknown, presence: 'never' }
  const element = array.tuple?.at(index)
  if (element !== undefined && shape.types.size === 1) return { shape: element, presence: 'always' }
  if (array.minItems !== undefined && shape.types.size === 1) {
    const long = (index < 0 ? -index : index + 1) <= array.minItems
    return long
      ? { shape: array.items, presence: 'always' }
      : { shape: array.items, presence: 'sometimes', missing: shortList }
  }
  // where nothing is known of an array's length, an index is taken on trust
  return { shape: element ?? array.items, presence: 'unknown' }
}

const written: Origin = { kind: 'template', text: 'what ResultPath wrote' }

/** Puts a value at a reference path, as ResultPath does. */
export function writeSteps(into: Shape, steps: readonly PathStep[], value: Shape): Shape {
  const [step, ...rest] = steps
  if (step === undefined) return value
  if (step.kind === 'index') return writeIndex(into, step.index, rest, value)
  if (step.kind !== 'field') return unknown
  const object = into.kind === 'known' ? into.object : undefined
  const inner = object?.fields.get(step.name)
  const open = into.kind === 'unknown' || (object !== undefined && object.rest !== 'none')
  const below =
    inner === undefined
      ? open
        ? unknown
        : emptyObject
      : inner.presence === 'never'
        ? emptyObject
        : inner.shape
  const field = always(rest.length === 0 ? value : writeSteps(below, rest, value))
  return setField(into, step.name, field)
}

const emptyObject: Shape = objectOf(new Map(), written)

function setField(into: Shape, name: string, field: Field): Shape {
  const object = into.kind === 'known' ? into.object : undefined
  if (object === undefined)
    return objectOf(new Map([[name, field]]), written, into.kind === 'unknown' ? 'maybe' : 'none')
  return objectOf(new Map(object.fields).set(name, field), object.origin, object.rest)
}

function writeIndex(into: Shape, index: number, rest: readonly PathStep[], value: Shape): Shape {
  const array: ArrayShape | undefined = into.kind === 'known' ? into.array : undefined
  if (array === undefined) return unknown
  const element = writeSteps(array.tuple?.[index] ?? array.items, rest, value)
  return arrayOf(join(array.items, element), array.maxItems)
}

/** The shape once a test has shown that the path is there, or that it is not. */
export function assumePresence(shape: Shape, steps: readonly PathStep[], present: boolean): Shape {
  return refine(shape, steps, field => {
    if (present) return { shape: field?.shape ?? unknown, presence: 'always' }
    return {
      shape: unknown,
      presence: 'never',
      missing: { kind: 'test', text: 'a test that found it absent' },
    }
  })
}

/** The shape once a test has shown more of the value at the path. */
export function assumeValue(
  shape: Shape,
  steps: readonly PathStep[],
  narrow: (shape: Shape) => Shape,
): Shape {
  if (steps.length === 0) return narrow(shape)
  return refine(shape, steps, field => ({ shape: narrow(field?.shape ?? unknown), presence: 'always' }))
}

function refine(
  shape: Shape,
  steps: readonly PathStep[],
  change: (field: Field | undefined) => Field,
): Shape {
  const [step, ...rest] = steps
  if (step?.kind !== 'field') return shape
  if (shape.kind === 'known' && shape.object === undefined) return shape
  const object: ObjectShape | undefined = shape.kind === 'known' ? shape.object : undefined
  const field = object?.fields.get(step.name)
  if (rest.length === 0) return onlyObject(setField(shape, step.name, change(field)))
  const inner = refine(field?.shape ?? unknown, rest, change)
  const presence = change(undefined).presence === 'always' ? 'always' : (field?.presence ?? 'sometimes')
  // nothing is learnt of a parent from a missing child
  if (presence !== 'always' && field === undefined) return shape
  return onlyObject(
    setField(shape, step.name, { shape: inner, presence, ...(field?.missing && { missing: field.missing }) }),
  )
}

function onlyObject(shape: Shape): Shape {
  if (shape.kind === 'unknown' || shape.types.size === 1) return shape
  const { object } = shape as KnownShape
  return object === undefined ? shape : objectOf(object.fields, object.origin, object.rest)
}
