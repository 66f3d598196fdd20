import { matchesFilter } from './filters.ts'

export { checkPattern, InvalidPatternError } from './check-pattern.ts'

/** A pattern as EventBridge writes it: fields with the values and filters of which one must match. */
export type Pattern = Readonly<Record<string, unknown>>

/** Whether every field that the pattern names has one of the values, or matches one of the filters, that it lists. */
export function matchesPattern(pattern: Pattern, event: unknown): boolean {
  return Object.entries(pattern).every(([key, wanted]) => {
    if (key === '$or' && Array.isArray(wanted)) {
      return wanted.some(alternative => matchesPattern(alternative as Pattern, event))
    }
    const found = fieldOf(event, key)
    if (Array.isArray(wanted)) return wanted.some(filter => matchesFilter(filter, found))
    // Of several objects one must match as a whole.
    if (Array.isArray(found)) return found.some(each => matchesPattern(wanted as Pattern, each))
    return matchesPattern(wanted as Pattern, found)
  })
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined
}
