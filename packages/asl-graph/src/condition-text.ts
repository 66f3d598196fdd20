import type { ChoiceRule, ChoiceTest, JsonataChoiceTest } from '@stepwright/asl'

const operators: Readonly<Record<string, string>> = {
  Equals: '=',
  LessThan: '<',
  LessThanEquals: '≤',
  GreaterThan: '>',
  GreaterThanEquals: '≥',
  Matches: 'like',
}

/** A choice rule as people write conditions: `$.count > 5 and $.kind = "csv"`. */
export function conditionText(rule: ChoiceRule): string {
  return testText(rule as ChoiceTest | JsonataChoiceTest, false)
}

function testText(test: ChoiceTest | JsonataChoiceTest, isInner: boolean): string {
  if (typeof test !== 'object' || test === null) return ''
  if ('Condition' in test) return expressionText(test.Condition)
  if ('And' in test) return joined(test.And, ' and ', isInner)
  if ('Or' in test) return joined(test.Or, ' or ', isInner)
  if ('Not' in test) return `not ${testText(test.Not, true)}`
  const { Variable = '' } = test
  const found = Object.entries(test).find(([key]) => /^(String|Numeric|Boolean|Timestamp|Is)/.test(key))
  return found === undefined ? Variable : comparisonText(Variable, ...found)
}

function joined(tests: readonly ChoiceTest[], word: string, isInner: boolean): string {
  const text = (Array.isArray(tests) ? tests : []).map(test => testText(test, true)).join(word)
  return isInner ? `(${text})` : text
}

function comparisonText(variable: string, operator: string, operand: unknown): string {
  const type = /^Is(\w+)$/.exec(operator)?.[1]
  if (type !== undefined) return `${variable} is ${operand === false ? 'not ' : ''}${type.toLowerCase()}`
  const [, kind = '', isPath] = /^(?:String|Numeric|Boolean|Timestamp)(\w+?)(Path)?$/.exec(operator) ?? []
  return `${variable} ${operators[kind] ?? kind} ${isPath ? String(operand) : JSON.stringify(operand)}`
}

function expressionText(condition: unknown): string {
  return String(condition).replace(/^\{%/, '').replace(/%\}$/, '').trim()
}
