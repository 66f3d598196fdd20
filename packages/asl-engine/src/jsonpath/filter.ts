import { equalJson, isArray, isObject, type Json } from '../json.ts'
import { evaluateSteps, type Found } from './evaluate.ts'
import { InvalidPathError, parseSteps } from './parse.ts'

/** The test of `[?(…)]`: is this node kept? */
export type Filter = (node: Json, root: Json) => boolean

type Operand = (node: Json, root: Json) => Found
type Token = { readonly text: string; readonly operand?: Operand }

const comparators: Readonly<Record<string, (a: Found, b: Found) => boolean>> = {
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

function ordered(a: Found, b: Found, test: (order: number) => boolean): boolean {
  if (typeof a === 'number' && typeof b === 'number') return test(a - b)
  if (typeof a === 'string' && typeof b === 'string') return test(a < b ? -1 : a > b ? 1 : 0)
  return false
}

export function parseFilter(text: string, path: string): Filter {
  const tokens = tokenize(text, path)
  let at = 0
  const accept = (expected: string): boolean => {
    if (tokens[at]?.operand !== undefined || tokens[at]?.text !== expected) return false
    at += 1
    return true
  }
  const either = (): Filter => {
    const tests = [both()]
    while (accept('||')) tests.push(both())
    return tests.length === 1 ? (tests[0] as Filter) : (node, root) => tests.some(test => test(node, root))
  }
  const both = (): Filter => {
    const tests = [single()]
    while (accept('&&')) tests.push(single())
    return tests.length === 1 ? (tests[0] as Filter) : (node, root) => tests.every(test => test(node, root))
  }
  const single = (): Filter => {
    if (accept('!')) {
      const test = single()
      return (node, root) => !test(node, root)
    }
    if (accept('(')) {
      const test = either()
      if (!accept(')')) throw new InvalidPathError(path, 'a filter lacks a closing parenthesis')
      return test
    }
    return comparison()
  }
  const comparison = (): Filter => {
    const left = tokens[at]?.operand
    if (left === undefined) throw new InvalidPathError(path, 'a filter lacks an operand')
    at += 1
    const operator = tokens[at]
    if (
      operator === undefined ||
      operator.operand !== undefined ||
      !(operator.text in comparators || operator.text === '=~')
    ) {
      return (node, root) => left(node, root) !== undefined
    }
    at += 1
    const right = tokens[at]
    if (right?.operand === undefined) throw new InvalidPathError(path, 'a filter lacks an operand')
    at += 1
    if (operator.text === '=~') return matcher(left, right.text, path)
    const compare = comparators[operator.text] as (a: Found, b: Found) => boolean
    const rightOperand = right.operand
    return (node, root) => compare(left(node, root), rightOperand(node, root))
  }
  const test = either()
  if (at !== tokens.length) throw new InvalidPathError(path, 'a filter has more than its expression')
  return test
}

function matcher(left: Operand, literal: string, path: string): Filter {
  const parts = /^\/(.*)\/([a-z]*)$/s.exec(literal)
  if (parts === null) throw new InvalidPathError(path, 'a regular expression is written /…/')
  const expression = new RegExp(`^(?:${parts[1]})$`, parts[2])
  return (node, root) => {
    const value = left(node, root)
    return typeof value === 'string' && expression.test(value)
  }
}

const token =
  /\s*(?:(&&|\|\||===?|!==?|<=|>=|=~|<|>|!|\(|\))|('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|(\/(?:\\.|[^/\\])+\/[a-z]*)|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)(?![\w-])|(in|nin|subsetof|anyof|noneof|contains|size|empty)(?![\w-]))/y

function tokenize(text: string, path: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    if (text.slice(at).trim() === '') break
    const lead = text.length - text.slice(at).trimStart().length
    const first = text[lead]
    if (first === '@' || first === '$') {
      const { steps, end } = parseSteps(text, lead + 1, path)
      tokens.push({
        text: text.slice(lead, end),
        operand: (node, root) => evaluateSteps(steps, first === '@' ? node : root, root),
      })
      at = end
    } else if (first === '[') {
      const end = text.indexOf(']', lead) + 1
      const list = JSON.parse(text.slice(lead, end).replaceAll("'", '"')) as Json
      tokens.push({ text: text.slice(lead, end), operand: () => list })
      at = end
    } else {
      token.lastIndex = at
      const match = token.exec(text)
      if (match === null) throw new InvalidPathError(path, `'${text.slice(lead)}' is not understood`)
      at = token.lastIndex
      tokens.push(toToken(match))
    }
  }
  return tokens
}

function toToken(match: RegExpExecArray): Token {
  const [, symbol, quoted, regex, number, word, operator] = match
  if (symbol !== undefined) return { text: symbol }
  if (operator !== undefined) return { text: operator }
  if (regex !== undefined) return { text: regex, operand: () => regex }
  const value: Json =
    quoted !== undefined
      ? quoted.slice(1, -1).replace(/\\(.)/g, '$1')
      : number !== undefined
        ? Number(number)
        : word === 'null'
          ? null
          : word === 'true'
  return { text: match[0], operand: () => value }
}

export function childrenOf(node: Json): readonly Json[] {
  return isArray(node) ? node : isObject(node) ? Object.values(node) : []
}
