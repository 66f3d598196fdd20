import type { ChoiceTest, Comparison } from '@stepwright/asl'
import { runtimeFailure } from '../failures/state-failure.ts'
import type { Json } from '../json.ts'
import type { Found } from '../jsonpath/evaluate.ts'
import { compileReference, type Reference } from '../reference.ts'
import type { Scope } from './scope.ts'
import { parseTimestamp } from './timestamp.ts'

export type Test = (scope: Scope) => boolean

/** Compiles one rule of a JSONPath Choice. */
export function compileChoiceTest(test: ChoiceTest): Test {
  if ('And' in test) {
    const tests = test.And.map(compileChoiceTest)
    return scope => tests.every(inner => inner(scope))
  }
  if ('Or' in test) {
    const tests = test.Or.map(compileChoiceTest)
    return scope => tests.some(inner => inner(scope))
  }
  if ('Not' in test) {
    const inner = compileChoiceTest(test.Not)
    return scope => !inner(scope)
  }
  return compileComparison(test)
}

const notOperators = new Set(['Variable', 'Comment', 'Next', 'Assign', 'Output'])

function compileComparison(comparison: Comparison): Test {
  const variable = compileReference(comparison.Variable)
  const operator = Object.keys(comparison).find(key => !notOperators.has(key))
  if (operator === undefined) throw new TypeError(`A choice rule on ${comparison.Variable} has no operator`)
  const operand = (comparison as unknown as Record<string, Json>)[operator] as Json
  if (operator === 'IsPresent') return scope => (variable.find(scope) !== undefined) === operand
  const typeTest = typeTests[operator]
  if (typeTest !== undefined) return scope => typeTest(value(variable, scope)) === operand
  if (operator === 'StringMatches') {
    const matches = wildcard(String(operand))
    return scope => {
      const found = value(variable, scope)
      return typeof found === 'string' && matches(found)
    }
  }
  const isPath = operator.endsWith('Path')
  const compare = comparator(isPath ? operator.slice(0, -4) : operator)
  if (!isPath) return scope => compare(value(variable, scope), operand)
  const other = compileReference(String(operand))
  return scope => compare(value(variable, scope), value(other, scope))
}

function value(reference: Reference, scope: Scope): Json {
  const found: Found = reference.find(scope)
  if (found !== undefined) return found
  throw runtimeFailure(
    `Invalid path '${reference.text}': The choice state's condition path references an invalid value.`,
  )
}

const typeTests: Readonly<Record<string, (value: Json) => boolean>> = {
  IsNull: found => found === null,
  IsNumeric: found => typeof found === 'number',
  IsString: found => typeof found === 'string',
  IsBoolean: found => typeof found === 'boolean',
  IsTimestamp: found => typeof found === 'string' && parseTimestamp(found) !== undefined,
}

const orderTests: Readonly<Record<string, (order: number) => boolean>> = {
  Equals: order => order === 0,
  LessThan: order => order < 0,
  GreaterThan: order => order > 0,
  LessThanEquals: order => order <= 0,
  GreaterThanEquals: order => order >= 0,
}

function comparator(operator: string): (a: Json, b: Json) => boolean {
  const [, type, relation] = /^(String|Numeric|Boolean|Timestamp)(.+)$/.exec(operator) ?? []
  const test = orderTests[relation ?? '']
  if (type === undefined || test === undefined) throw new TypeError(`There is no choice operator ${operator}`)
  switch (type) {
    case 'String':
      return (a, b) => typeof a === 'string' && typeof b === 'string' && test(a < b ? -1 : a > b ? 1 : 0)
    case 'Numeric':
      return (a, b) => typeof a === 'number' && typeof b === 'number' && test(a - b)
    case 'Boolean':
      return (a, b) => typeof a === 'boolean' && typeof b === 'boolean' && test(Number(a) - Number(b))
    default:
      return (a, b) => {
        const first = typeof a === 'string' ? parseTimestamp(a) : undefined
        const second = typeof b === 'string' ? parseTimestamp(b) : undefined
        return first !== undefined && second !== undefined && test(first - second)
      }
  }
}

/** `*` stands for any characters, `\*` for itself. What stands between two is looked for once, so that it takes linear time. */
function wildcard(pattern: string): (text: string) => boolean {
  const parts = ['']
  for (const [all, escaped] of pattern.matchAll(/\\(.)|\*|[^\\*]+/gs)) {
    if (all === '*') parts.push('')
    else parts.push(`${parts.pop() ?? ''}${escaped ?? all}`)
  }
  const [first = '', ...others] = parts
  const last = others.pop()
  if (last === undefined) return text => text === first
  return text => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
      return false
    let at = first.length
    for (const part of others) {
      const found = text.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return at <= text.length - last.length
  }
}
