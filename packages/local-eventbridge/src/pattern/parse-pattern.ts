import { type Condition, parseFilters } from './filters.ts'
import { InvalidPatternError } from './invalid-pattern-error.ts'
import { isRecord } from './is-record.ts'

export type { Condition }

/** What must hold for each field, by its name and in the order of the names: one of the conditions. */
export type Alternative = ReadonlyMap<string, readonly Condition[]>

const maxAlternatives = 1000

/** Names that keep a list of objects under `$or` from being a list of patterns, as they begin filters. */
const reserved = new Set([
  'exactly',
  'equals-ignore-case',
  'prefix',
  'suffix',
  'anything-but',
  'exists',
  'wildcard',
  'numeric',
  'cidr',
  '=',
  '<',
  '<=',
  '>',
  '>=',
  'regex',
  'not-wildcard',
  'not-equals-ignore-case',
  'date-after',
  'date-on-or-after',
  'date-before',
  'date-on-or-before',
  'in-date-range',
  'ip-address-in-range',
  'ip-address-not-in-range',
])

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
  if (key === '$or' && isListOfPatterns(wanted)) return wanted.flatMap(pattern => parseObject(pattern, path))
  const name = path === '' ? key : `${path}.${key}`
  if (isRecord(wanted)) return parseObject(wanted, name)
  if (!Array.isArray(wanted)) throw new InvalidPatternError(`"${key}" must be an object or an array`)
  if (wanted.length === 0) throw new InvalidPatternError('Empty arrays are not allowed')
  return [new Map([[name, parseFilters(wanted)]])]
}

/** Otherwise `$or` is a field like any other, as it was before EventBridge knew it. */
function isListOfPatterns(wanted: unknown): wanted is readonly Readonly<Record<string, unknown>>[] {
  return (
    Array.isArray(wanted) &&
    wanted.length > 1 &&
    wanted.every(each => isRecord(each) && Object.keys(each).every(key => !reserved.has(key)))
  )
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
