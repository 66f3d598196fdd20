import { isArray, isObject, type Json } from '../json.ts'

function numbersOf(value: Json): number[] {
  return isArray(value) ? value.filter(item => typeof item === 'number') : []
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

/** Jayway's path functions, such as `$.prices.max()`; `undefined` where one does not apply. */
export function callPathFunction(name: string, parameters: readonly Json[], value: Json): Json | undefined {
  const numbers = numbersOf(value)
  switch (name) {
    case 'length':
    case 'size':
      if (isArray(value) || typeof value === 'string') return value.length
      return isObject(value) ? Object.keys(value).length : undefined
    case 'min':
      return numbers.length > 0 ? numbers.reduce((least, each) => Math.min(least, each)) : undefined
    case 'max':
      return numbers.length > 0 ? numbers.reduce((most, each) => Math.max(most, each)) : undefined
    case 'sum':
      return numbers.length > 0 ? numbers.reduce((sum, number) => sum + number, 0) : undefined
    case 'avg':
      return numbers.length > 0 ? mean(numbers) : undefined
    case 'stddev': {
      if (numbers.length === 0) return undefined
      const average = mean(numbers)
      return Math.sqrt(mean(numbers.map(number => (number - average) ** 2)))
    }
    case 'keys':
      return isObject(value) ? Object.keys(value) : undefined
    case 'first':
      return isArray(value) ? value[0] : undefined
    case 'last':
      return isArray(value) ? value.at(-1) : undefined
    case 'index':
      return isArray(value) && typeof parameters[0] === 'number' ? value.at(parameters[0]) : undefined
    case 'concat':
      return [...(isArray(value) ? value : [value]), ...parameters].map(String).join('')
    case 'append':
      return isArray(value) ? [...value, ...parameters] : undefined
    default:
      return undefined
  }
}
