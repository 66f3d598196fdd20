import { InvalidPatternError } from './invalid-pattern-error.ts'
import { parseAddress, parseBlock } from './ip-address.ts'
import { isRecord } from './is-record.ts'
import { parseRange, tooManyElements } from './numeric.ts'
import { foldedPattern } from './text-case.ts'
import { maxOverlap, overlapOf, parseWildcard, type Wildcard } from './wildcard.ts'

/** What a field must fulfil. A field that is absent fulfils only a condition that asks for its absence. */
export type Condition = { readonly isAbsence: true } | TestCondition

interface TestCondition {
  readonly isAbsence: false
  readonly test: Test
  readonly wildcard?: Wildcard
}

type Test = (value: unknown) => boolean
type TextFilter = 'prefix' | 'suffix' | 'equals-ignore-case' | 'wildcard'

/** Values, and filters such as `{ prefix: 'a' }`. @throws InvalidPatternError */
export function parseFilters(filters: readonly unknown[]): readonly Condition[] {
  const conditions = filters.map(parseFilter)
  checkOverlap(conditions.flatMap(condition => (condition.isAbsence ? [] : (condition.wildcard ?? []))))
  return conditions
}

function parseFilter(filter: unknown): Condition {
  if (isRecord(filter)) {
    const [entry] = Object.entries(filter)
    if (entry === undefined) throw new InvalidPatternError('Match expression name not found')
    const condition = parseOperator(...entry)
    return onlyEntry(filter, condition)
  }
  if (Array.isArray(filter) || filter === undefined)
    throw new InvalidPatternError('Match value must be String, number, true, false, or null')
  const address = parseAddress(filter)
  if (address === undefined) return when(value => value === filter)
  return when(value => parseAddress(value)?.bits === address.bits)
}

/** Refuses wildcards that a value could be compared with in too many ways at once. */
function checkOverlap(wildcards: readonly Wildcard[]): void {
  if (overlapOf(wildcards) <= maxOverlap) return
  throw new InvalidPatternError(
    'Rule is too complex - try using fewer wildcard characters or fewer repeating character sequences after a wildcard character',
  )
}

function parseOperator(name: string, operand: unknown): Condition {
  switch (name) {
    case 'exists':
      if (typeof operand !== 'boolean')
        throw new InvalidPatternError('exists match pattern must be either true or false.')
      return operand ? when(() => true) : { isAbsence: true }
    case 'anything-but':
      return parseAnythingBut(operand)
    case 'numeric':
      return when(parseRange(operand))
    case 'cidr':
      return when(parseBlock(textOf(operand, 'prefix')))
    case 'exactly': {
      const text = textOf(operand, name)
      return when(value => value === text)
    }
    case 'prefix':
    case 'suffix':
      return isRecord(operand) ? parseFoldedEdge(name, operand) : parseText(name, textOf(operand, name))
    case 'equals-ignore-case':
    case 'wildcard':
      return parseText(name, textOf(operand, name))
    default:
      throw new InvalidPatternError(`Unrecognized match type ${name}`)
  }
}

/** `{ prefix: { 'equals-ignore-case': 'a' } }` */
function parseFoldedEdge(name: 'prefix' | 'suffix', operand: Readonly<Record<string, unknown>>): Condition {
  const [[inner, text] = []] = Object.entries(operand)
  if (inner === undefined)
    throw new InvalidPatternError(`${name === 'prefix' ? 'Prefix' : 'Suffix'} expression name not found`)
  if (inner !== 'equals-ignore-case') throw new InvalidPatternError(`Unsupported ${name} pattern: ${inner}`)
  const folded = foldedPattern(textOf(text, inner), name)
  return onlyEntry(
    operand,
    when(value => typeof value === 'string' && folded.test(value)),
  )
}

function parseText(name: TextFilter, text: string): TestCondition {
  if (name === 'prefix') return when(value => typeof value === 'string' && value.startsWith(text))
  if (name === 'suffix') return when(value => typeof value === 'string' && value.endsWith(text))
  if (name === 'equals-ignore-case') {
    const folded = foldedPattern(text, 'whole')
    return when(value => typeof value === 'string' && folded.test(value))
  }
  const wildcard = parseWildcard(text)
  return { ...when(value => typeof value === 'string' && wildcard.matches(value)), wildcard }
}

function parseAnythingBut(operand: unknown): Condition {
  if (!isRecord(operand)) return when(parseOtherThan(operand))
  const [[name, inner] = []] = Object.entries(operand)
  if (name === undefined) throw new InvalidPatternError('Anything-But expression name not found')
  if (!isTextFilter(name)) throw new InvalidPatternError(`Unsupported anything-but pattern: ${name}`)
  const texts = Array.isArray(inner) ? inner : [inner]
  if (texts.length === 0 || !(Array.isArray(inner) || isTextOrNumber(inner))) throw notAnythingBut()
  const conditions = texts.map(text => {
    if (typeof text !== 'string') throw new InvalidPatternError(notText[name])
    if (text === '' && (name === 'prefix' || name === 'suffix'))
      throw new InvalidPatternError('Null prefix/suffix not allowed')
    return parseText(name, text)
  })
  if (Object.keys(operand).length > 1) throw new InvalidPatternError(tooManyElements)
  for (const { wildcard } of conditions) checkOverlap(wildcard === undefined ? [] : [wildcard])
  return when(value => !conditions.some(({ test }) => test(value)))
}

function parseOtherThan(operand: unknown): Test {
  if (!Array.isArray(operand)) {
    if (!isTextOrNumber(operand)) throw notAnythingBut()
    return value => value !== operand
  }
  if (!operand.every(isTextOrNumber))
    throw new InvalidPatternError('Inside anything but list, start|null|boolean is not supported.')
  if (new Set(operand.map(each => typeof each)).size !== 1) {
    throw new InvalidPatternError(
      'Inside anything but list, either all values are number or string, mixed type is not supported',
    )
  }
  return value => !operand.includes(value as string | number)
}

const notText: Readonly<Record<TextFilter, string>> = {
  prefix: 'prefix/suffix match pattern must be a string',
  suffix: 'prefix/suffix match pattern must be a string',
  'equals-ignore-case':
    'Inside anything-but/equals-ignore-case list, number|start|null|boolean is not supported.',
  wildcard: 'wildcard match pattern must be a string',
}

function isTextFilter(name: string): name is TextFilter {
  return Object.hasOwn(notText, name)
}

function notAnythingBut(): InvalidPatternError {
  return new InvalidPatternError('Value of anything-but must be an array or single string/number value.')
}

function onlyEntry(filter: Readonly<Record<string, unknown>>, condition: Condition): Condition {
  const [name, ...others] = Object.keys(filter)
  if (others.length === 0) return condition
  // The words of event-ruler, which are about numbers also where there are none.
  const isLikeNumeric = name === 'numeric' || name === 'anything-but'
  throw new InvalidPatternError(isLikeNumeric ? tooManyElements : 'Only one key allowed in match expression')
}

function when(test: Test): TestCondition {
  return { isAbsence: false, test }
}

function textOf(operand: unknown, name: string): string {
  if (typeof operand === 'string') return operand
  throw new InvalidPatternError(`${name === 'exactly' ? 'exact' : name} match pattern must be a string`)
}

function isTextOrNumber(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
