import type { Visit } from '@stepwright/asl-graph'

export interface Difference {
  readonly path: string
  readonly a: unknown
  readonly b: unknown
}

/** The first place where two values are not the same. */
export function firstDifference(a: unknown, b: unknown, path = '$'): Difference | undefined {
  if (Object.is(a, b)) return undefined
  if (
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  ) {
    return { path, a, b }
  }
  const left = a as Readonly<Record<string, unknown>>
  const right = b as Readonly<Record<string, unknown>>
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const inner = Array.isArray(a) ? `${path}[${key}]` : `${path}.${key}`
    const found = firstDifference(left[key], right[key], inner)
    if (found) return found
  }
  return undefined
}

export interface PathStep {
  readonly a: Visit | undefined
  readonly b: Visit | undefined
  readonly isSame: boolean
}

/** The states on the top level, side by side up to the end of both. */
export function comparePaths(a: readonly Visit[], b: readonly Visit[]): readonly PathStep[] {
  const isTop = ({ parent }: Visit): boolean => parent === undefined
  const [left, right] = [a.filter(isTop), b.filter(isTop)]
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    const [one, other] = [left[index], right[index]]
    return { a: one, b: other, isSame: one?.name === other?.name && one?.status === other?.status }
  })
}
