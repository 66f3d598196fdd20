import { InvalidPatternError } from './invalid-pattern-error.ts'

export const tooManyElements = 'Too many elements in numeric expression'

/** `['>', 0, '<=', 5]`: one comparison, or a lower and an upper bound in this order. @throws InvalidPatternError */
export function parseRange(operand: unknown): (value: unknown) => boolean {
  if (!Array.isArray(operand)) throw new InvalidPatternError('Value of numeric must be an array.')
  const [sign, bound, upperSign, upper] = operand
  if (typeof sign !== 'string')
    throw new InvalidPatternError(`Invalid member in numeric match: ${firstTokenOf(sign)}`)
  const compare = comparisons.get(sign)
  if (compare === undefined) throw new InvalidPatternError(`Unrecognized numeric range operator: ${sign}`)
  if (typeof bound !== 'number')
    throw new InvalidPatternError(`Value of ${sign === '=' ? 'equals' : sign} must be numeric`)
  if (operand.length === 2) return value => typeof value === 'number' && compare(value, bound)
  if (!sign.startsWith('>')) throw new InvalidPatternError(tooManyElements)
  if (typeof upperSign !== 'string')
    throw new InvalidPatternError(`Bad value in numeric range: ${JSON.stringify(upperSign)}`)
  const compareUpper = upperSign.startsWith('<') ? comparisons.get(upperSign) : undefined
  if (compareUpper === undefined) throw new InvalidPatternError(`Bad numeric range operator: ${upperSign}`)
  if (typeof upper !== 'number') throw new InvalidPatternError(`Value of ${upperSign} must be numeric`)
  if (operand.length > 4) throw new InvalidPatternError('Too many terms in numeric range expression')
  if (bound >= upper) throw new InvalidPatternError('Bottom must be less than top')
  return value => typeof value === 'number' && compare(value, bound) && compareUpper(value, upper)
}

const comparisons: ReadonlyMap<string, (value: number, bound: number) => boolean> = new Map([
  ['=', (value, bound) => value === bound],
  ['<', (value, bound) => value < bound],
  ['<=', (value, bound) => value <= bound],
  ['>', (value, bound) => value > bound],
  ['>=', (value, bound) => value >= bound],
])

/** As event-ruler tells where it stopped to read. */
function firstTokenOf(value: unknown): string {
  if (value === undefined) return ']'
  return typeof value === 'object' && value !== null
    ? (JSON.stringify(value)[0] ?? '')
    : JSON.stringify(value)
}
