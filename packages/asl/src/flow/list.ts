import { both, join } from './join.ts'
import {
  type ArrayShape,
  arrayOf,
  clip,
  known,
  only,
  type Shape,
  splitList,
  toArray,
  unknown,
} from './shape.ts'

/** Of longer lists it is not said what all elements have in common. */
export const maxElements = 100

export function tupleOf(elements: readonly Shape[]): Shape {
  const tuple = elements.map(clip)
  const few = tuple.length > 0 && tuple.length <= maxElements
  const items = few ? tuple.reduce((sum, each) => join(sum, each)) : unknown
  return known(only('array'), undefined, toArray(items, tuple, tuple.length, tuple.length), undefined)
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
