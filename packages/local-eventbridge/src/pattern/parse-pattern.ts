import { areAlternatives } from './alternatives.ts'
import { type Condition, parseFilters } from './filters.ts'
import { InvalidPatternError } from './invalid-pattern-error.ts'
import { isRecord } from './is-record.ts'

export type { Condition }

/** What must hold for each field, by its name and in the order of the names: one of the conditions. */
export type Alternative = ReadonlyMap<string, readonly Condition[]>

const maxAlternatives = 1000

/** The pattern as alternatives of which one must match: every `$or` multiplies them. @throws InvalidPatternError */
export function parsePattern(pattern: unknown): readonly Alternative[] {
  if (!isRecord(pattern)) throw new InvalidPatternError('Filter is not an object')
  return parseObject(pattern, '').map(inOrder)
}

function parseObject(pattern: Readonly<Record<string, unknown>>, path: string): readonly Alternative[] {
  const entries = Object.entries(pattern)
  if (entries.length === 0) throw new InvalidPatternError('Empty objects are not allowed')
  return entries.reduce<readonly Alternative[]>(
    (before, [key, wanted]) => multiply(before, parseEntry(key, wanted, path)),
    [new Map()],
  )
}

function parseEntry(key: string, wanted: unknown, path: string): readonly Alternative[] {
  if (areAlternatives(key, wanted)) return wanted.flatMap(pattern => parseObject(pattern, path))
  const name = path === '' ? key : `${path}.${key}`
  if (isRecord(wanted)) return parseObject(wanted, name)
  if (!Array.isArray(wanted)) throw new InvalidPatternError(`"${key}" must be an object or an array`)
  if (wanted.length === 0) throw new InvalidPatternError('Empty arrays are not allowed')
  return [new Map([[name, parseFilters(wanted)]])]
}

function inOrder(alternative: Alternative): Alternative {
  return new Map([...alternative].sort(([one], [other]) => (one < other ? -1 : 1)))
}

function multiply(before: readonly Alternative[], more: readonly Alternative[]): readonly Alternative[] {
  if (before.length * more.length > maxAlternatives) {
    throw new InvalidPatternError(`$or results in over ${maxAlternatives} rule combinations`)
  }
  return before.flatMap(one => more.map(other => new Map([...one, ...other])))
}
