import type { ParsedPath } from '../../expressions/syntax.ts'
import type { Access } from '../access.ts'
import { type Origin, ofType, type Shape, unknown } from '../shape.ts'

/** What an expression makes, and what may make it nothing at all. */
export interface Value {
  readonly shape: Shape
  readonly presence: Access['presence']
  /** What is not there, or may not be. */
  readonly need?: Need | undefined
}

/** A path without which an expression finds nothing, and what reading it finds. */
export interface Need {
  readonly path: ParsedPath
  readonly access: Access
}

export const anyValue: Value = { shape: unknown, presence: 'unknown' }

export function made(shape: Shape): Value {
  return { shape, presence: 'always' }
}

export const aNumber: Value = made(ofType('number'))
export const aString: Value = made(ofType('string'))
export const aBoolean: Value = made(ofType('boolean'))

/** What reading a path finds, as a value. */
export function found(path: ParsedPath, access: Access): Value {
  const doubtful = access.presence === 'never' || access.presence === 'sometimes'
  return {
    shape: access.presence === 'never' ? unknown : access.shape,
    presence: access.presence,
    need: doubtful ? { path, access } : undefined,
  }
}

/** A value of which `text` in the expression may make nothing. */
export function doubted(text: string, access: Access): Value {
  const path: ParsedPath = { text, root: { kind: 'variable', name: 'states' }, steps: [], definite: true }
  return found(path, access.presence === 'sometimes' ? { failedAt: 1, ...access } : access)
}

/** The value that is made of others, and of nothing where one of them is nothing. */
export function madeOf(value: Value, operands: readonly Value[]): Value {
  for (const presence of ['never', 'sometimes', 'unknown'] as const) {
    const missing = operands.find(each => each.presence === presence)
    if (missing === undefined) continue
    if (value.presence === 'never') return value
    return presence === 'unknown' && value.presence !== 'always'
      ? value
      : { shape: value.shape, presence, need: missing.need }
  }
  return value
}

/** The same value where it is not certain that it is asked for: whatever is missing is then only so at times. */
export function unlessUnused(value: Value, why: Origin): Value {
  const { need, presence } = value
  if (presence !== 'never' && presence !== 'sometimes') return value
  const missing =
    presence === 'sometimes' && need?.access.missing?.kind === 'schema' ? need.access.missing : why
  return {
    shape: value.shape,
    presence: 'sometimes',
    need: need && { path: need.path, access: { ...need.access, presence: 'sometimes', missing } },
  }
}
