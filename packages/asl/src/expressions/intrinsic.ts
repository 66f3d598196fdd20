import { maxNestedIntrinsics } from '../facts/limits.ts'
import { remember } from '../remember.ts'
import { parsePath } from './path.ts'
import { accept, type Reader, readOrExplain, skipSpace, stop, take } from './reader.ts'
import type { ParsedPath } from './syntax.ts'

export type IntrinsicArgument =
  | {
      readonly kind: 'literal'
      readonly value: string | number | boolean | null
      /** Of a string: its text with braces and backslashes still escaped, as States.Format needs it. */
      readonly template?: string
    }
  | { readonly kind: 'path'; readonly path: ParsedPath }
  | { readonly kind: 'call'; readonly call: IntrinsicCall }

export interface IntrinsicCall {
  readonly name: string
  readonly args: readonly IntrinsicArgument[]
  readonly text: string
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
export const parseIntrinsic: (text: string) => IntrinsicCall | string = remember(text =>
  readOrExplain(() => {
    const reader = { text, at: 0 }
    const call = readCall(reader, 1)
    skipSpace(reader)
    return reader.at < text.length ? stop(`Unexpected "${text.slice(reader.at)}" after the call.`) : call
  }),
)

const callName = /[A-Za-z][\w.]*/y

function readCall(reader: Reader, depth: number): IntrinsicCall {
  if (depth > maxNestedIntrinsics) stop(`More than ${maxNestedIntrinsics} functions are nested.`)
  skipSpace(reader)
  const start = reader.at
  const name = take(reader, callName)
  if (name !== undefined) skipSpace(reader)
  if (name === undefined || !accept(reader, '(')) stop('It is not a call such as States.Format(…).')
  const args: IntrinsicArgument[] = []
  skipSpace(reader)
  while (!accept(reader, ')')) {
    args.push(readArgument(reader, depth))
    skipSpace(reader)
    if (accept(reader, ',')) skipSpace(reader)
    else if (reader.text[reader.at] !== ')') stop(`Expected "," or ")" in the arguments of ${name}.`)
  }
  const call = { name, args, text: reader.text.slice(start, reader.at) }
  checkCall(call)
  return call
}

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y
const word = /(?:true|false|null)(?![\w.(])/y

function readArgument(reader: Reader, depth: number): IntrinsicArgument {
  const first = reader.text[reader.at]
  if (first === "'") return readString(reader)
  if (first === '$') return { kind: 'path', path: readPath(reader) }
  const digits = take(reader, number)
  if (digits !== undefined) return { kind: 'literal', value: Number(digits) }
  const known = take(reader, word)
  if (known !== undefined) return { kind: 'literal', value: known === 'null' ? null : known === 'true' }
  return { kind: 'call', call: readCall(reader, depth + 1) }
}

/** Only `'`, `{`, `}` and `\` may be escaped. */
function readString(reader: Reader): IntrinsicArgument {
  let template = ''
  for (reader.at += 1; reader.at < reader.text.length; reader.at += 1) {
    const char = reader.text[reader.at] as string
    if (char === "'") {
      reader.at += 1
      return { kind: 'literal', value: template.replace(/\\([{}\\])/g, '$1'), template }
    }
    if (char !== '\\') template += char
    else {
      reader.at += 1
      const escaped = reader.text[reader.at] ?? ''
      if (escaped === '' || !"'{}\\".includes(escaped))
        stop(`"\\${escaped}" is not an escape; only \\' \\{ \\} and \\\\ are.`)
      template += escaped === "'" ? escaped : `\\${escaped}`
    }
  }
  return stop('A string is never closed.')
}

/** A path goes to the comma or parenthesis that ends the argument. */
function readPath(reader: Reader): ParsedPath {
  const start = reader.at
  let depth = 0
  let quote = ''
  for (; reader.at < reader.text.length; reader.at += 1) {
    const char = reader.text[reader.at] as string
    if (char === '\\') reader.at += 1
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (char === "'" || char === '"') quote = char
    else if (char === '[' || char === '(') depth += 1
    else if (depth > 0 && (char === ']' || char === ')')) depth -= 1
    else if (depth === 0 && (char === ')' || char === ',')) break
  }
  const text = reader.text.slice(start, reader.at).trim()
  const path = parsePath(text)
  return typeof path === 'string' ? stop(`"${text}" is not a path. ${path}`) : path
}

function checkCall(call: IntrinsicCall): void {
  const signature = intrinsicFunctions.get(call.name) ?? stop(`There is no function ${call.name}.`)
  const least = signature.args.length - (signature.optional ?? 0)
  const most = signature.rest === undefined ? signature.args.length : Number.POSITIVE_INFINITY
  if (call.args.length < least || call.args.length > most) {
    const expected =
      most === least
        ? `${least}`
        : most === Number.POSITIVE_INFINITY
          ? `at least ${least}`
          : `${least} to ${most}`
    stop(`${call.name} takes ${expected} arguments, not ${call.args.length}.`)
  }
  for (const [index, argument] of call.args.entries()) {
    const expected = signature.args[index] ?? signature.rest ?? 'any'
    if (!canBe(argument, expected)) stop(`Argument ${index + 1} of ${call.name} must be of type ${expected}.`)
  }
  checkFormat(call)
}

function canBe(argument: IntrinsicArgument, expected: ArgumentType): boolean {
  if (expected === 'any' || argument.kind === 'path') return true
  if (argument.kind === 'literal') return typeof argument.value === expected
  const returns = intrinsicFunctions.get(argument.call.name)?.returns
  return returns === 'any' || returns === expected
}

function checkFormat(call: IntrinsicCall): void {
  const [first, ...values] = call.args
  if (call.name !== 'States.Format' || first?.kind !== 'literal' || first.template === undefined) return
  const places = first.template.replace(/\\[{}\\]/g, '').split('{}').length - 1
  if (places !== values.length) stop(`The template has ${places} {} but ${values.length} values are given.`)
}
