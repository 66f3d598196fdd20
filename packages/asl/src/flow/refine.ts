import type { PathStep } from '../expressions/syntax.ts'
import { join } from './join.ts'
import {
  always,
  anythingWith,
  arrayOf,
  type Field,
  type KnownShape,
  known,
  type ObjectShape,
  type Origin,
  objectOf,
  only,
  type Shape,
  unknown,
} from './shape.ts'

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
  const below = inner === undefined ? (open ? unknown : emptyObject) : beforeWriting(inner)
  const field = always(rest.length === 0 ? value : writeSteps(below, rest, value))
  return setField(into, step.name, field)
}

const emptyObject: Shape = objectOf(new Map(), written)

/** What is there when something is put into it: where it is missing, an object is made that has nothing else. */
function beforeWriting({ presence, shape, missing }: Field): Shape {
  if (presence === 'always') return shape
  return presence === 'never' ? emptyObject : join(shape, emptyObject, undefined, missing)
}

/** An object to which more is added is no longer followed: each state would keep a copy of it. */
const maxFields = 500

function setField(into: Shape, name: string, field: Field): Shape {
  const object = into.kind === 'known' ? into.object : undefined
  if (object !== undefined && isFull(object, name)) return objectOf(object.fields, object.origin, 'maybe')
  if (object === undefined)
    return objectOf(new Map([[name, field]]), written, into.kind === 'unknown' ? 'maybe' : 'none')
  return objectOf(new Map(object.fields).set(name, field), object.origin, object.rest)
}

function isFull({ fields }: ObjectShape, name: string): boolean {
  return fields.size >= maxFields && !fields.has(name)
}

function writeIndex(into: Shape, index: number, rest: readonly PathStep[], value: Shape): Shape {
  const array = into.kind === 'known' ? into.array : undefined
  if (array === undefined) return unknown
  const element = writeSteps(array.tuple?.[index] ?? array.items, rest, value)
  return arrayOf(join(array.items, element), array.maxItems, array.minItems)
}

/** The shape once a test has shown that the path is there, or that it is not. */
export function assumePresence(shape: Shape, steps: readonly PathStep[], present: boolean): Shape {
  const at = steps.findIndex(({ kind }) => kind === 'index')
  const step = steps[at]
  // an element that is there says how long its list is, and no more: elements are not told apart
  if (step?.kind === 'index') {
    const length = step.index < 0 ? -step.index : step.index + 1
    return present ? assumeLength(shape, steps.slice(0, at), length) : shape
  }
  return refine(shape, steps, field => {
    if (present) return { shape: field?.shape ?? unknown, presence: 'always' }
    return {
      shape: unknown,
      presence: 'never',
      missing: { kind: 'test', text: 'a test that found it absent' },
    }
  })
}

/** The shape once a test has shown that the list at the path has so many elements, or more. */
export function assumeLength(shape: Shape, steps: readonly PathStep[], length: number): Shape {
  return assumeValue(shape, steps, list => {
    const array = list.kind === 'known' ? list.array : undefined
    if (array === undefined || (array.minItems !== undefined && array.minItems >= length)) return list
    return { ...(list as KnownShape), array: { ...array, minItems: length } }
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
  const field = shape.kind === 'known' ? shape.object?.fields.get(step.name) : undefined
  const absent = change(undefined).presence === 'never'
  if (rest.length === 0) {
    const changed = change(field)
    const narrowed = narrowUnion(shape, step.name, changed)
    return absent
      ? withField(narrowed, step.name, changed)
      : onlyObject(setField(narrowed, step.name, changed))
  }
  // nothing is learnt of a parent from a missing child
  if (absent && field === undefined) return shape
  const inner = refine(field?.shape ?? unknown, rest, change)
  return absent
    ? withField(shape, step.name, { ...(field as Field), shape: inner })
    : onlyObject(setField(shape, step.name, { shape: inner, presence: 'always' }))
}

/** The members of a union that can have such a field, or can lack it; nothing is learnt where none is left, or all. */
function narrowUnion(shape: Shape, name: string, field: Field): Shape {
  const object = shape.kind === 'known' ? shape.object : undefined
  const { alternatives = [] } = object ?? {}
  const left = alternatives.filter(each => mayHave(each, name, field))
  if (object === undefined || left.length === 0 || left.length === alternatives.length) return shape
  const joined = left
    .map((each): Shape => known(only('object'), each, undefined, undefined))
    .reduce((sum, each) => join(sum, each, object.origin, object.origin))
  return { ...(shape as KnownShape), object: (joined as KnownShape).object }
}

function mayHave({ fields, rest }: ObjectShape, name: string, { presence, shape }: Field): boolean {
  const own = fields.get(name)
  if (own === undefined) return presence === 'never' || rest !== 'none'
  if (presence === 'never') return own.presence !== 'always'
  if (own.presence === 'never') return false
  if (own.shape.kind === 'unknown' || shape.kind === 'unknown') return true
  const { types, values } = own.shape
  if (![...shape.types].some(type => types.has(type))) return false
  return values === undefined || shape.values?.some(value => values.includes(value)) !== false
}

/** The same value with more known of a field; what lacks one does not have to be an object. */
function withField(shape: Shape, name: string, field: Field): Shape {
  if (shape.kind === 'unknown') return anythingWith(new Map([[name, field]]), field.missing ?? written)
  const { object } = shape
  return object === undefined || isFull(object, name)
    ? shape
    : {
        ...shape,
        object: { ...object, fields: new Map(object.fields).set(name, field), alternatives: undefined },
      }
}

function onlyObject(shape: Shape): Shape {
  if (shape.kind === 'unknown' || shape.types.size === 1) return shape
  const { object } = shape as KnownShape
  return object === undefined ? shape : objectOf(object.fields, object.origin, object.rest)
}
