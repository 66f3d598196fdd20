import type { PathStep } from '../expressions/syntax.ts'
import { both, join } from './join.ts'
import { contentOf } from './list.ts'
import {
  arrayOf,
  type KnownShape,
  type ObjectShape,
  type Origin,
  ofType,
  type Shape,
  splitList,
  unknown,
} from './shape.ts'

/** What reading a path finds. */
export interface Access {
  readonly shape: Shape
  /** `unknown` where nothing is known of the place. */
  readonly presence: 'always' | 'sometimes' | 'never' | 'unknown'
  readonly missing?: Origin | undefined
  /** The number of the step that finds nothing. */
  readonly failedAt?: number | undefined
  /** The fields that are there instead, where they are known. */
  readonly available?: readonly string[]
}

export const unknownAccess: Access = { shape: unknown, presence: 'unknown' }
const nothingThere: Access = { shape: unknown, presence: 'never' }

/** Reads a path as JSONPath does. */
export function readSteps(from: Shape, steps: readonly PathStep[]): Access {
  const at = steps.findIndex(step => step.kind !== 'field' && step.kind !== 'index')
  if (at === -1) return follow(from, steps, readStep)
  const before = follow(from, steps.slice(0, at), readStep)
  // a path that can match many finds an empty array where it matches nothing
  if (steps.some(isMany)) return { shape: manyOf(before, steps.slice(at)), presence: 'unknown' }
  // of functions, only the length is that of one value
  return before.presence === 'always'
    ? { shape: ofType('number'), presence: 'unknown' }
    : { ...before, shape: unknown }
}

/** Reads fields and indexes as JSONata does: a field of a list is that of each of its elements, with the indexes behind it. */
export function readMapped(from: Shape, steps: readonly PathStep[]): Access {
  return follow(from, partsOf(steps), readPart)
}

/** A field with the indexes behind it, or indexes that stand first. */
interface Part {
  readonly at: number
  readonly steps: readonly PathStep[]
}

function partsOf(steps: readonly PathStep[]): readonly Part[] {
  const starts = steps.flatMap((step, index) => (index === 0 || step.kind !== 'index' ? [index] : []))
  return starts.map((at, index) => ({ at, steps: steps.slice(at, starts[index + 1]) }))
}

function readPart(shape: Shape, part: Part): Access {
  const [first] = part.steps
  if (first?.kind !== 'field' || part.steps.length === 1 || shape.kind === 'unknown')
    return within(part, follow(shape, part.steps, readMappedStep))
  const [list, other] = splitList(shape)
  const ofOther = other && within(part, follow(other, part.steps, readMappedStep))
  return eitherOf(ofOther, list && readEach(list, items => readPart(items, part)))
}

function within({ at }: Part, access: Access): Access {
  return access.failedAt === undefined ? access : { ...access, failedAt: at + access.failedAt }
}

/** Takes step after step. The first that may find nothing is the one to tell of; one that never finds anything decides. */
function follow<Step>(
  from: Shape,
  steps: readonly Step[],
  read: (shape: Shape, step: Step) => Access,
): Access {
  let shape = from
  let presence: Access['presence'] = 'always'
  let missing: Origin | undefined
  let failedAt: number | undefined
  for (let index = 0; index < steps.length; index += 1) {
    const access = read(shape, steps[index] as Step)
    if (access.presence === 'never') return { ...access, failedAt: access.failedAt ?? index }
    if (access.presence === 'sometimes' && presence !== 'sometimes') {
      presence = 'sometimes'
      missing = access.missing
      failedAt = access.failedAt ?? index
    } else if (access.presence === 'unknown' && presence === 'always') presence = 'unknown'
    shape = access.shape
  }
  return { shape, presence, missing, failedAt }
}

function readStep(shape: Shape, step: PathStep): Access {
  if (step.kind === 'field') return readField(shape, step.name)
  return step.kind === 'index' ? readIndex(shape, step.index) : unknownAccess
}

/** Steps other than a field and an index can match any number of values; the length is that of one value. */
function isMany(step: PathStep): boolean {
  return (
    step.kind !== 'field' && step.kind !== 'index' && !(step.kind === 'function' && step.name === 'length')
  )
}

function manyOf({ shape, presence }: Access, [step, ...rest]: readonly PathStep[]): Shape {
  if (step?.kind === 'function' || step?.kind === 'fields') return unknown
  if (presence === 'never') return arrayOf(unknown, 0, 0)
  if (
    step?.kind === 'wildcard' &&
    shape.kind === 'known' &&
    !shape.types.has('array') &&
    !shape.types.has('object')
  )
    return arrayOf(unknown, 0, 0)
  const array = shape.kind === 'known' && shape.types.size === 1 ? shape.array : undefined
  if (step?.kind !== 'wildcard' || array === undefined) return arrayOf(unknown)
  const plain = rest.every(({ kind }) => kind === 'field')
  const each = plain ? follow(array.items, rest, readStep) : unknownAccess
  if (each.presence === 'never') return arrayOf(unknown, 0, 0)
  const fewest = each.presence === 'always' && presence === 'always' ? array.minItems : undefined
  return arrayOf(each.shape, plain ? array.maxItems : undefined, each.presence === 'sometimes' ? 0 : fewest)
}

function readField(shape: Shape, name: string): Access {
  if (shape.kind === 'unknown') return unknownAccess
  const { object } = shape
  if (object === undefined) return nothingThere
  const field = object.fields.get(name)
  if (field === undefined) {
    if (object.rest === 'maybe') return unknownAccess
    if (object.rest === 'unmentioned')
      return { shape: unknown, presence: 'sometimes', missing: object.origin }
    return { shape: unknown, presence: 'never', missing: object.origin, available: fieldsOf(object) }
  }
  if (field.presence === 'always' && shape.types.size > 1)
    return { shape: field.shape, presence: 'sometimes', missing: noObject }
  return { shape: field.shape, presence: field.presence, missing: field.missing }
}

const fieldsThere = new WeakMap<ObjectShape, readonly string[]>()

function fieldsOf(object: ObjectShape): readonly string[] {
  const known = fieldsThere.get(object)
  if (known !== undefined) return known
  const names = [...object.fields].filter(([, { presence }]) => presence !== 'never').map(([key]) => key)
  fieldsThere.set(object, names)
  return names
}

const noObject: Origin = { kind: 'schema', text: 'a value that does not have to be an object' }
const shortList: Origin = { kind: 'schema', text: 'a list that may be too short' }

function readIndex(shape: Shape, index: number): Access {
  if (shape.kind === 'unknown') return unknownAccess
  const { array } = shape
  if (array === undefined) return nothingThere
  const needed = index < 0 ? -index : index + 1
  if (array.maxItems !== undefined && needed > array.maxItems) return nothingThere
  const element = array.tuple?.at(index) ?? array.items
  // where nothing is known of an array's length, an index is taken on trust
  if (array.minItems === undefined) return { shape: element, presence: 'unknown' }
  return needed <= array.minItems && shape.types.size === 1
    ? { shape: element, presence: 'always' }
    : { shape: element, presence: 'sometimes', missing: shortList }
}

function readMappedStep(shape: Shape, step: PathStep): Access {
  if (shape.kind === 'unknown' || (step.kind !== 'field' && step.kind !== 'index')) return unknownAccess
  const [list, other] = splitList(shape)
  if (step.kind === 'index')
    // a value that is no list counts as a list of one
    return eitherOf(other && readOnly(other, step.index), list && readIndex(list, step.index))
  return eitherOf(
    other && readField(other, step.name),
    list && readEach(list, items => readMappedStep(items, step)),
  )
}

/** What is found in a value that is a list, or is none. */
function eitherOf(ofOther: Access | undefined, ofList: Access | undefined): Access {
  if (ofOther === undefined || ofList === undefined) return ofOther ?? ofList ?? nothingThere
  const shapes = [ofOther, ofList].filter(({ presence }) => presence !== 'never').map(each => each.shape)
  if (shapes.length === 0) return ofOther
  const joined = shapes.reduce((sum, each) => join(sum, each))
  if (ofOther.presence === ofList.presence) return { ...ofOther, shape: joined }
  if (ofOther.presence === 'unknown' || ofList.presence === 'unknown')
    return { shape: joined, presence: 'unknown' }
  const missing = (ofList.presence === 'always' ? ofOther.missing : ofList.missing) ?? shortList
  return { shape: joined, presence: 'sometimes', missing }
}

function readOnly(shape: Shape, index: number): Access {
  return index === 0 || index === -1 ? { shape, presence: 'always' } : nothingThere
}

/** What is found in each element of a list, made into one sequence. */
function readEach({ array }: KnownShape, read: (items: Shape) => Access): Access {
  if (array === undefined) return unknownAccess
  if (array.maxItems === 0) return nothingThere
  const element = read(array.items)
  if (element.presence === 'never') return element
  const sure = element.presence === 'always' ? array.minItems : element.presence === 'unknown' ? undefined : 0
  const many = sequenceOf(element.shape, sure, array.maxItems)
  return many.presence === 'sometimes' && element.missing !== undefined
    ? { ...many, missing: element.missing }
    : many
}

/** What JSONata makes of so many values: nothing of none, the value itself of one, and a list of more. */
export function sequenceOf(items: Shape, minItems: number | undefined, maxItems: number | undefined): Access {
  if (maxItems === 0) return nothingThere
  if (items.kind === 'known' && items.types.has('array')) return flattened(items, minItems, maxItems)
  // what is not known may be an empty list, and lists among the values are made one with the list of them
  const least = items.kind === 'unknown' && minItems !== 0 ? undefined : minItems
  const presence = least === undefined ? 'unknown' : least === 0 ? 'sometimes' : 'always'
  const missing = presence === 'sometimes' ? shortList : undefined
  if (items.kind === 'unknown') return { shape: unknown, presence, missing }
  const list = arrayOf(items, maxItems, Math.max(2, least ?? 0))
  const shape = maxItems === 1 ? items : (least ?? 0) >= 2 ? list : join(items, list)
  return { shape, presence, missing }
}

function flattened(items: Shape, minItems: number | undefined, maxItems: number | undefined): Access {
  const inner = contentOf(items)
  const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b)
  const [least, most] = [both(minItems, inner.minItems, times), both(maxItems, inner.maxItems, times)]
  // lists within the lists stay what they are
  const nested = inner.items.kind === 'known' && inner.items.types.has('array')
  const { presence, missing, shape } = sequenceOf(nested ? noLists : inner.items, least, most)
  return { shape: nested ? unknown : shape, presence, missing }
}

const noLists: Shape = ofType('null')

const filtered: Origin = { kind: 'schema', text: 'a filter that may find nothing' }

/** What a filter of JSONata leaves of a value. */
export function filterOf(shape: Shape): Access {
  if (shape.kind === 'unknown') return unknownAccess
  const [list, other] = splitList(shape)
  const items = list?.array?.items ?? unknown
  const each = other === undefined ? items : list === undefined ? other : join(items, other)
  const kept = sequenceOf(each, 0, list === undefined ? 1 : list.array?.maxItems)
  return kept.presence === 'never' ? kept : { ...kept, missing: filtered }
}
