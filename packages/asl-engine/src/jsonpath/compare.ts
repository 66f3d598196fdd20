import type { FilterOperator } from '@stepwright/asl/expressions'
import { equalJson, isArray } from '../json.ts'
import type { Found } from './evaluate.ts'

const comparators: Readonly<Record<FilterOperator, (a: Found, b: Found) => boolean>> = {
  '==': (a, b) => equalJson(a, b),
  '===': (a, b) => equalJson(a, b),
  '!=': (a, b) => !equalJson(a, b),
  '!==': (a, b) => !equalJson(a, b),
  '<': (a, b) => ordered(a, b, order => order < 0),
  '<=': (a, b) => ordered(a, b, order => order <= 0),
  '>': (a, b) => ordered(a, b, order => order > 0),
  '>=': (a, b) => ordered(a, b, order => order >= 0),
  in: (a, b) => isArray(b) && b.some(item => equalJson(item, a)),
  nin: (a, b) => isArray(b) && !b.some(item => equalJson(item, a)),
  subsetof: (a, b) => isArray(a) && isArray(b) && a.every(item => b.some(other => equalJson(item, other))),
  anyof: (a, b) => isArray(a) && isArray(b) && a.some(item => b.some(other => equalJson(item, other))),
  noneof: (a, b) => isArray(a) && isArray(b) && !a.some(item => b.some(other => equalJson(item, other))),
  contains: (a, b) =>
    typeof a === 'string'
      ? typeof b === 'string' && a.includes(b)
      : isArray(a) && a.some(item => equalJson(item, b)),
  size: (a, b) => (isArray(a) || typeof a === 'string') && a.length === b,
  empty: (a, b) => (isArray(a) || typeof a === 'string') && (a.length === 0) === b,
}

export function compare(operator: FilterOperator, a: Found, b: Found): boolean {
  return comparators[operator](a, b)
}

function ordered(a: Found, b: Found, test: (order: number) => boolean): boolean {
  if (typeof a === 'number' && typeof b === 'number') return test(a - b)
  if (typeof a === 'string' && typeof b === 'string') return test(a < b ? -1 : a > b ? 1 : 0)
  return false
}
