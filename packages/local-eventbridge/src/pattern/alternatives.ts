import { isRecord } from './is-record.ts'

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

/**
 * Whether a field of a pattern is `$or` with patterns of which one must match. Otherwise `$or` is a field like any
 * other, as it was before EventBridge knew it.
 */
export function areAlternatives(
  key: string,
  wanted: unknown,
): wanted is readonly Readonly<Record<string, unknown>>[] {
  return (
    key === '$or' &&
    Array.isArray(wanted) &&
    wanted.length > 1 &&
    wanted.every(each => isRecord(each) && !hasReservedName(each))
  )
}

/** Also further inside, where a name could be that of a filter by mistake. */
function hasReservedName(pattern: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(pattern).some(
    ([name, child]) => reserved.has(name) || (isRecord(child) && hasReservedName(child)),
  )
}
