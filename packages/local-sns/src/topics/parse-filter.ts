import {
  areAlternatives,
  checkPattern,
  InvalidPatternError,
  type Pattern,
} from '@stepwright/local-eventbridge/pattern'
import { ServiceError } from '@stepwright/local-server'

const maxKeys = 5
const maxCombinations = 150
const maxLength = 262_144

/** The filter policy among a subscription's attributes. @throws ServiceError that says what is wrong with it */
export function parseFilter(attributes: ReadonlyMap<string, string>): Pattern | undefined {
  const text = attributes.get('FilterPolicy')
  if (text === undefined || text === '' || text === '{}') return undefined
  try {
    const policy = JSON.parse(text)
    checkPattern(policy)
    checkLimits(text, policy, attributes.get('FilterPolicyScope') || 'MessageAttributes')
    return policy
  } catch (error) {
    const reason = error instanceof InvalidPatternError ? error.message : 'failed to parse JSON.'
    throw new ServiceError('InvalidParameter', `Invalid parameter: FilterPolicy: ${reason}`)
  }
}

/** What SNS refuses although EventBridge accepts it. */
function checkLimits(text: string, policy: Pattern, scope: string): void {
  if (Buffer.byteLength(text) > maxLength) throw new InvalidPatternError('Filter policy is too long')
  if (Object.keys(policy).length > maxKeys)
    throw new InvalidPatternError(`Filter policy can not have more than ${maxKeys} keys`)
  if (scope === 'MessageAttributes' && isNested(policy)) {
    throw new InvalidPatternError(
      'Filter policy scope MessageAttributes does not support nested filter policy',
    )
  }
  if (combinationsOf(policy) > maxCombinations) throw new InvalidPatternError('Filter policy is too complex')
  checkOperators(policy)
}

/** The values of all fields multiplied, and each by the depth of its field; alternatives are added. */
function combinationsOf(policy: Pattern, depth = 1, before = 1): number {
  return Object.entries(policy).reduce((product, [key, wanted]) => {
    if (areAlternatives(key, wanted))
      return wanted.reduce((sum, each) => sum + combinationsOf(each, depth, product), 0)
    if (Array.isArray(wanted)) return product * wanted.length * depth
    return combinationsOf(wanted as Pattern, depth + 1, product)
  }, before)
}

function isNested(policy: Pattern): boolean {
  return Object.entries(policy).some(([key, wanted]) => {
    if (!Array.isArray(wanted)) return true
    return areAlternatives(key, wanted) && wanted.some(isNested)
  })
}

/** SNS knows no wildcards, and `anything-but` only of values and prefixes. */
function checkOperators(policy: Pattern): void {
  for (const [key, wanted] of Object.entries(policy)) {
    if (areAlternatives(key, wanted)) wanted.forEach(checkOperators)
    else if (Array.isArray(wanted)) wanted.forEach(checkFilter)
    else checkOperators(wanted as Pattern)
  }
}

function checkFilter(filter: unknown): void {
  if (typeof filter !== 'object' || filter === null) return
  if ('wildcard' in filter) throw new InvalidPatternError('Unrecognized match type wildcard')
  const { 'anything-but': inner } = filter as { readonly 'anything-but'?: unknown }
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner) || 'prefix' in inner) return
  throw new InvalidPatternError(`Unsupported anything-but pattern: ${Object.keys(inner)[0]}`)
}
