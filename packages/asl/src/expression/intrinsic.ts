import { remember } from '../remember.ts'
import { type ParsedPath, parsePath } from './path.ts'

export type IntrinsicArgument =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'path'; readonly path: ParsedPath }
  | { readonly kind: 'call'; readonly call: IntrinsicCall }

export interface IntrinsicCall {
  readonly name: string
  readonly args: readonly IntrinsicArgument[]
}

/** What an argument of a function must be; a path may turn out to be anything. */
type ArgumentType = 'any' | 'string' | 'number' | 'array' | 'object' | 'boolean'

interface Signature {
  readonly args: readonly ArgumentType[]
  /** The rest, for functions that take any number. */
  readonly rest?: ArgumentType
  /** How many of `args` may be left out. */
  readonly optional?: number
  readonly returns: 'string' | 'number' | 'array' | 'boolean' | 'any' | 'object'
}

/** Every function that Step Functions knows in JSONPath states. */
export const intrinsicFunctions: ReadonlyMap<string, Signature> = new Map<string, Signature>([
  ['States.Format', { args: ['string'], rest: 'any', returns: 'string' }],
  ['States.StringToJson', { args: ['string'], returns: 'any' }],
  ['States.JsonToString', { args: ['any'], returns: 'string' }],
  ['States.Array', { args: [], rest: 'any', returns: 'array' }],
  ['States.ArrayPartition', { args: ['array', 'number'], returns: 'array' }],
  ['States.ArrayContains', { args: ['array', 'any'], returns: 'boolean' }],
  ['States.ArrayRange', { args: ['number', 'number', 'number'], returns: 'array' }],
  ['States.ArrayGetItem', { args: ['array', 'number'], returns: 'any' }],
  ['States.ArrayLength', { args: ['array'], returns: 'number' }],
  ['States.ArrayUnique', { args: ['array'], returns: 'array' }],
  ['States.Base64Encode', { args: ['string'], returns: 'string' }],
  ['States.Base64Decode', { args: ['string'], returns: 'string' }],
  ['States.Hash', { args: ['any', 'string'], returns: 'string' }],
  ['States.JsonMerge', { args: ['object', 'object', 'boolean'], returns: 'object' }],
  ['States.MathRandom', { args: ['number', 'number', 'number'], optional: 1, returns: 'number' }],
  ['States.MathAdd', { args: ['number', 'number'], returns: 'number' }],
  ['States.StringSplit', { args: ['string', 'string'], returns: 'array' }],
  ['States.UUID', { args: [], returns: 'string' }],
])

/** Reads `States.Name(…)`; the string says what is wrong with it. */
export const parseIntrinsic: (text: string) => IntrinsicCall | string = remember(text => {
  const reader = { text, at: 0 }
  const call = readCall(reader)
  if (typeof call === 'string') return call
  skipSpace(reader)
  return reader.at < text.length ? `Unexpected "${text.slice(reader.at)}" after the call.` : call
})

interface Reader {
  readonly text: string
  at: number
}

function skipSpace(reader: Reader): void {
  while (/\s/.test(reader.text[reader.at] ?? '')) reader.at += 1
}

const callName = /\s*([A-Za-z][\w.]*)\s*\(/y

function readCall(reader: Reader): IntrinsicCall | string {
  callName.lastIndex = reader.at
  const name = callName.exec(reader.text)?.[1]
  if (name === undefined) return 'It is not a call such as States.Format(…).'
  reader.at = callName.lastIndex
  const args: IntrinsicArgument[] = []
  skipSpace(reader)
  if (reader.text[reader.at] === ')') reader.at += 1
  else {
    for (;;) {
      const argument = readArgument(reader)
      if (typeof argument === 'string') return argument
      args.push(argument)
      skipSpace(reader)
      const separator = reader.text[reader.at++]
      if (separator === ')') break
      if (separator !== ',') return `Expected "," or ")" in the arguments of ${name}.`
    }
  }
  return checkCall({ name, args })
}

function readArgument(reader: Reader): IntrinsicArgument | string {
  skipSpace(reader)
  const { text } = reader
  if (text[reader.at] === "'") return readString(reader)
  if (text[reader.at] === '$') {
    const start = reader.at
    reader.at = endOfPath(text, start)
    const path = parsePath(text.slice(start, reader.at).trim())
    return path === undefined ? `"${text.slice(start, reader.at)}" is not a path.` : { kind: 'path', path }
  }
  const word = /[\w.+-]*/y
  word.lastIndex = reader.at
  const literal = word.exec(text)?.[0] ?? ''
  const value = literalValue(literal)
  if (value !== undefined) {
    reader.at += literal.length
    return { kind: 'literal', value }
  }
  const call = readCall(reader)
  return typeof call === 'string' ? call : { kind: 'call', call }
}

function literalValue(literal: string): number | boolean | null | undefined {
  if (literal === 'true') return true
  if (literal === 'false') return false
  if (literal === 'null') return null
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(literal) ? Number(literal) : undefined
}

/** Only `'`, `{`, `}` and `\` may be escaped. */
function readString(reader: Reader): IntrinsicArgument | string {
  let value = ''
  for (reader.at++; reader.at < reader.text.length; reader.at += 1) {
    const char = reader.text[reader.at] as string
    if (char === "'") {
      reader.at += 1
      return { kind: 'literal', value }
    }
    if (char === '\\') {
      const escaped = reader.text[++reader.at] ?? ''
      if (!"'{}\\".includes(escaped) || escaped === '')
        return `"\\${escaped}" is not an escape; only \\' \\{ \\} and \\\\ are.`
      value += escaped === '{' || escaped === '}' ? `\\${escaped}` : escaped
    } else value += char
  }
  return 'A string is never closed.'
}

function endOfPath(text: string, from: number): number {
  let depth = 0
  let quote = ''
  for (let at = from; at < text.length; at += 1) {
    const char = text[at] as string
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === "'" || char === '"') quote = char
    else if (char === '[' || char === '(') depth += 1
    else if (char === ']') depth -= 1
    else if (char === ')' && depth-- === 0) return at
    else if (char === ',' && depth === 0) return at
  }
  return text.length
}

function checkCall(call: IntrinsicCall): IntrinsicCall | string {
  const signature = intrinsicFunctions.get(call.name)
  if (signature === undefined) return `There is no function ${call.name}.`
  const least = signature.args.length - (signature.optional ?? 0)
  const most = signature.rest === undefined ? signature.args.length : Number.POSITIVE_INFINITY
  if (call.args.length < least || call.args.length > most) {
    const expected =
      most === least
        ? `${least}`
        : most === Number.POSITIVE_INFINITY
          ? `at least ${least}`
          : `${least} to ${most}`
    return `${call.name} takes ${expected} arguments, not ${call.args.length}.`
  }
  for (const [index, argument] of call.args.entries()) {
    const expected = signature.args[index] ?? signature.rest ?? 'any'
    if (!canBe(argument, expected))
      return `Argument ${index + 1} of ${call.name} must be of type ${expected}.`
  }
  return formatProblem(call) ?? call
}

function canBe(argument: IntrinsicArgument, expected: ArgumentType): boolean {
  if (expected === 'any' || argument.kind === 'path') return true
  if (argument.kind === 'literal') return typeof argument.value === expected
  const returns = intrinsicFunctions.get(argument.call.name)?.returns
  return returns === 'any' || returns === expected
}

function formatProblem(call: IntrinsicCall): string | undefined {
  const template = call.args[0]
  if (call.name !== 'States.Format' || template?.kind !== 'literal' || typeof template.value !== 'string')
    return undefined
  const places = template.value.replace(/\\[{}]/g, '').split('{}').length - 1
  const given = call.args.length - 1
  return places === given ? undefined : `The template has ${places} {} but ${given} values are given.`
}
