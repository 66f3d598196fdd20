import { isIP } from 'node:net'
import { comparisons, isOperator } from './filters.ts'

/** A pattern that no event could be compared with. */
export class InvalidPatternError extends Error {
  override readonly name = 'InvalidPatternError'
}

/** @throws InvalidPatternError that says what is wrong with it */
export function checkPattern(pattern: unknown): void {
  if (!isObject(pattern)) throw new InvalidPatternError('Filter is not an object')
  const entries = Object.entries(pattern)
  if (entries.length === 0) throw new InvalidPatternError('Empty objects are not allowed')
  for (const [key, wanted] of entries) {
    if (key === '$or' && Array.isArray(wanted)) {
      if (wanted.length < 2) throw new InvalidPatternError('$or must hold at least two patterns')
      for (const alternative of wanted) checkPattern(alternative)
    } else if (Array.isArray(wanted)) {
      if (wanted.length === 0) throw new InvalidPatternError('Empty arrays are not allowed')
      for (const filter of wanted) checkFilter(filter)
    } else if (isObject(wanted)) checkPattern(wanted)
    else throw new InvalidPatternError(`"${key}" must be an object or an array`)
  }
}

function checkFilter(filter: unknown): void {
  if (Array.isArray(filter))
    throw new InvalidPatternError('Match value must be String, number, true, false, or null')
  if (!isObject(filter)) return
  const [entry, ...more] = Object.entries(filter)
  if (entry === undefined || more.length > 0)
    throw new InvalidPatternError('Only one key allowed in match expression')
  checkOperator(...entry)
}

function checkOperator(name: string, operand: unknown): void {
  if (!isOperator(name)) throw new InvalidPatternError(`Unrecognized match type ${name}`)
  const wrong = problemWith[name]?.(operand)
  if (wrong !== undefined) throw new InvalidPatternError(wrong)
}

const problemWith: Readonly<Record<string, (operand: unknown) => string | undefined>> = {
  exists: operand =>
    typeof operand === 'boolean' ? undefined : 'exists match pattern must be either true or false.',
  prefix: operand => problemWithText('prefix', operand),
  suffix: operand => problemWithText('suffix', operand),
  wildcard: operand => {
    if (!isText(operand)) return 'wildcard match pattern must be a string'
    return String(operand).includes('**') ? 'Consecutive wildcard characters at pos 0' : undefined
  },
  'equals-ignore-case': operand =>
    isText(operand) ? undefined : 'equals-ignore-case match pattern must be a string',
  numeric: operand => {
    const pairs = comparisons(operand)
    const isWhole = pairs.length > 0 && pairs.length <= 2 && pairs.every(isComparison)
    return isWhole ? undefined : 'Value of numeric must be an array of comparisons and numbers.'
  },
  cidr: operand => {
    const [network = '', bits = ''] = String(operand).split('/')
    const family = isIP(network)
    const isRight = family > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32)
    return isRight ? undefined : "Malformed CIDR, one '/' required"
  },
  'anything-but': operand => {
    if (!isObject(operand)) return undefined
    const [[name = '', inner] = []] = Object.entries(operand)
    if (!['prefix', 'suffix', 'equals-ignore-case', 'wildcard'].includes(name))
      return `Unsupported anything-but pattern: ${name}`
    return isText(inner) ? undefined : `${name} match pattern must be a string`
  },
}

function problemWithText(name: string, operand: unknown): string | undefined {
  const isFolded = isObject(operand) && isText((operand as Record<string, unknown>)['equals-ignore-case'])
  return typeof operand === 'string' || isFolded ? undefined : `${name} match pattern must be a string`
}

function isComparison([sign, to]: readonly [unknown, unknown]): boolean {
  return ['=', '<', '<=', '>', '>='].includes(String(sign)) && typeof to === 'number'
}

/** A text, or a list of them. */
function isText(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every(each => typeof each === 'string'))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
