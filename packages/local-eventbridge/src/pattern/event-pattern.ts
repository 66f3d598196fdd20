import { type EventField, type EventFields, fieldsOf, isConsistent } from './fields.ts'
import { type Alternative, type Condition, parsePattern } from './parse-pattern.ts'

export { areAlternatives } from './alternatives.ts'
export { InvalidPatternError } from './invalid-pattern-error.ts'

/** A pattern as EventBridge writes it: fields with the values and filters of which one must match. */
export type Pattern = Readonly<Record<string, unknown>>

/** A rule's pattern is matched against every event, and parsed once. */
const parsed = new WeakMap<Pattern, ParsedPattern>()

interface ParsedPattern {
  readonly alternatives: readonly Alternative[]
  /** Of all fields that it asks about. */
  readonly names: ReadonlySet<string>
}

/** @throws InvalidPatternError that says what is wrong with it */
export function checkPattern(pattern: unknown): void {
  parsePattern(pattern)
}

/**
 * Whether every field that the pattern names has one of the values, or matches one of the filters, that it lists.
 * @throws InvalidPatternError if EventBridge would refuse the pattern
 */
export function matchesPattern(pattern: Pattern, event: unknown): boolean {
  const { alternatives, names } = parsed.get(pattern) ?? remember(pattern)
  const fields = fieldsOf(event, names)
  return alternatives.some(alternative => matchesAll(alternative, fields))
}

function remember(pattern: Pattern): ParsedPattern {
  const alternatives = parsePattern(pattern)
  const names = new Set(alternatives.flatMap(alternative => [...alternative.keys()]))
  parsed.set(pattern, { alternatives, names })
  return { alternatives, names }
}

function matchesAll(alternative: Alternative, fields: EventFields): boolean {
  const choices: Choice[] = []
  for (const [name, conditions] of alternative) {
    const found = fields.get(name) ?? []
    const mayBeAbsent = conditions.some(({ isAbsence }) => isAbsence)
    const matching = found.filter(({ value }) => conditions.some(condition => holds(condition, value)))
    if (matching.length === 0 && !mayBeAbsent) return false
    if (found.length > 0) choices.push({ found, matching, mayBeAbsent })
  }
  return canChoose(choices, [])
}

function holds(condition: Condition, value: unknown): boolean {
  return !condition.isAbsence && condition.test(value)
}

interface Choice {
  readonly found: readonly EventField[]
  readonly matching: readonly EventField[]
  readonly mayBeAbsent: boolean
}

/**
 * Whether there is a field of every name so that no two are in different elements of the same list of the event. A
 * field may be absent if the elements that were chosen before it do not have it: the order of the names counts.
 */
function canChoose([choice, ...others]: readonly Choice[], chosen: readonly EventField[]): boolean {
  if (choice === undefined) return true
  const fits = (field: EventField): boolean => chosen.every(other => isConsistent(field, other))
  if (choice.mayBeAbsent && !choice.found.some(fits) && canChoose(others, chosen)) return true
  return choice.matching.some(field => fits(field) && canChoose(others, [...chosen, field]))
}
