import { compileReference, type Reference } from '../reference.ts'

/** A call such as `States.Format('{} of {}', $.n, States.ArrayLength($.items))`. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null; readonly template?: string }
  | { readonly kind: 'reference'; readonly reference: Reference }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly text: string
      readonly parameters: readonly Expression[]
    }

export class InvalidIntrinsicError extends Error {
  override readonly name = 'InvalidIntrinsicError'
  constructor(text: string, problem: string) {
    super(`Invalid intrinsic function '${text}': ${problem}`)
  }
}

export function parseIntrinsic(text: string): Expression {
  const parser = { text, at: 0 }
  const expression = parseExpression(parser)
  skipSpace(parser)
  if (parser.at !== text.length)
    throw new InvalidIntrinsicError(text, `'${text.slice(parser.at)}' is left over`)
  return expression
}

interface Parser {
  readonly text: string
  at: number
}

function skipSpace(parser: Parser): void {
  while (/\s/.test(parser.text[parser.at] ?? '')) parser.at += 1
}

function parseExpression(parser: Parser): Expression {
  skipSpace(parser)
  const char = parser.text[parser.at]
  if (char === "'") return parseString(parser)
  if (char === '$') return parseReference(parser)
  const rest = parser.text.slice(parser.at)
  const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?/.exec(rest)
  if (number !== null) {
    parser.at += number[0].length
    return { kind: 'literal', value: Number(number[0]) }
  }
  const word = /^(true|false|null)\b/.exec(rest)
  if (word !== null) {
    parser.at += word[0].length
    return { kind: 'literal', value: word[0] === 'null' ? null : word[0] === 'true' }
  }
  const name = /^[A-Za-z][A-Za-z0-9.]*/.exec(rest)
  if (name === null) throw new InvalidIntrinsicError(parser.text, `'${rest}' is not understood`)
  return parseCall(parser, name[0])
}

function parseCall(parser: Parser, name: string): Expression {
  const start = parser.at
  parser.at += name.length
  skipSpace(parser)
  if (parser.text[parser.at] !== '(')
    throw new InvalidIntrinsicError(parser.text, `${name} lacks its parameters`)
  parser.at += 1
  const parameters: Expression[] = []
  skipSpace(parser)
  while (parser.text[parser.at] !== ')') {
    parameters.push(parseExpression(parser))
    skipSpace(parser)
    if (parser.text[parser.at] === ',') parser.at += 1
    else if (parser.text[parser.at] !== ')') {
      throw new InvalidIntrinsicError(parser.text, `${name} is not closed`)
    }
    skipSpace(parser)
  }
  parser.at += 1
  return { kind: 'call', name, text: parser.text.slice(start, parser.at), parameters }
}

/** The braces of a template stay escaped until Format has filled the gaps. */
function parseString(parser: Parser): Expression {
  let template = ''
  for (parser.at += 1; parser.at < parser.text.length; parser.at += 1) {
    const char = parser.text[parser.at] as string
    if (char === "'") {
      parser.at += 1
      return { kind: 'literal', value: template.replace(/\\([{}\\])/g, '$1'), template }
    }
    if (char !== '\\') template += char
    else {
      parser.at += 1
      const escaped = parser.text[parser.at] as string
      template +=
        escaped === "'"
          ? "'"
          : escaped === '{' || escaped === '}' || escaped === '\\'
            ? `\\${escaped}`
            : escaped
    }
  }
  throw new InvalidIntrinsicError(parser.text, 'a string is not closed')
}

function parseReference(parser: Parser): Expression {
  const start = parser.at
  let depth = 0
  let quoted = false
  for (; parser.at < parser.text.length; parser.at += 1) {
    const char = parser.text[parser.at]
    if (char === "'" && depth > 0) quoted = !quoted
    if (quoted) continue
    if (char === '[' || char === '(') depth += 1
    else if (char === ']' || (char === ')' && depth > 0)) depth -= 1
    else if (depth === 0 && (char === ',' || char === ')')) break
  }
  return { kind: 'reference', reference: compileReference(parser.text.slice(start, parser.at).trim()) }
}
