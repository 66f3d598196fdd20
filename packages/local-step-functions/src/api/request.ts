import { ApiError } from './api-error.ts'

/** The parameters of a call, read one by one with AWS's own complaints. */
export interface Parameters {
  readonly text: (name: string) => string
  readonly optionalText: (name: string) => string | undefined
  readonly optionalNumber: (name: string) => number | undefined
  readonly optionalBoolean: (name: string) => boolean | undefined
  readonly optionalObject: (name: string) => Readonly<Record<string, unknown>> | undefined
  readonly optionalList: (name: string) => readonly unknown[] | undefined
}

function violation(problem: string): ApiError {
  return new ApiError('ValidationException', `1 validation error detected: ${problem}`)
}

function wrongType(name: string, type: string): ApiError {
  return new ApiError('SerializationException', `The field '${name}' must be a ${type}`)
}

export function createParameters(body: Readonly<Record<string, unknown>>): Parameters {
  const optional = <T>(name: string, type: string, is: (value: unknown) => value is T): T | undefined => {
    const value = body[name]
    if (value === undefined || value === null) return undefined
    if (!is(value)) throw wrongType(name, type)
    return value
  }
  const optionalText = (name: string): string | undefined =>
    optional(name, 'string', value => typeof value === 'string')
  return {
    text: name => {
      const value = optionalText(name)
      if (value === undefined)
        throw violation(`Value null at '${name}' failed to satisfy constraint: Member must not be null`)
      if (value === '') {
        throw violation(
          `Value '' at '${name}' failed to satisfy constraint: Member must have length greater than or equal to 1`,
        )
      }
      return value
    },
    optionalText,
    optionalNumber: name => optional(name, 'number', value => typeof value === 'number'),
    optionalBoolean: name => optional(name, 'boolean', value => typeof value === 'boolean'),
    optionalObject: name =>
      optional(
        name,
        'structure',
        (value): value is Readonly<Record<string, unknown>> =>
          typeof value === 'object' && !Array.isArray(value),
      ),
    optionalList: name =>
      optional(name, 'list', (value): value is readonly unknown[] => Array.isArray(value)),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: names may hold none
const forbiddenInNames = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\u0000-\u001f\u007f-\u009f]/

/** Names of state machines, executions and activities. */
export function checkName(name: string): string {
  if (name.length > 80) {
    throw violation(
      `Value '${name}' at 'name' failed to satisfy constraint: Member must have length less than or equal to 80`,
    )
  }
  if (forbiddenInNames.test(name)) throw new ApiError('InvalidName', `Invalid Name: '${name}'`)
  return name
}

const arnPattern = /^arn:aws[\w-]*:states:[\w-]*:\d*:([a-zA-Z]+):.+$/

/** An ARN of one of these kinds. */
export function checkArn(arn: string, ...kinds: readonly string[]): string {
  const kind = arnPattern.exec(arn)?.[1]
  if (kind === undefined) {
    throw new ApiError('InvalidArn', `Invalid Arn: 'Invalid ARN prefix: ${arn}'`)
  }
  if (!kinds.includes(kind)) {
    throw new ApiError('InvalidArn', `Invalid Arn: 'Resource type not valid in this context: ${kind}'`)
  }
  return arn
}

/** The text of an execution's input or a task's output, parsed. */
export function parseJsonText(text: string, code: string, what: string): unknown {
  if (nestsDeeper(text, maxNesting))
    throw new ApiError(code, `Invalid ${what}: 'It is nested more than ${maxNesting} levels deep'`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ApiError(code, `Invalid ${what}: '${(error as Error).message}'`)
  }
}

/** Deeper data can be parsed, but neither copied nor written. */
const maxNesting = 1000

function nestsDeeper(text: string, limit: number): boolean {
  // Most data has fewer brackets than that in all.
  if (text.length <= limit) return false
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (isQuoted) {
      if (char === backslash) at += 1
      else if (char === quote) isQuoted = false
    } else if (char === quote) isQuoted = true
    else if (char === openBracket || char === openBrace) {
      depth += 1
      if (depth > limit) return true
    } else if (char === closeBracket || char === closeBrace) depth -= 1
  }
  return false
}

const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

export interface Page<T> {
  readonly items: readonly T[]
  readonly nextToken: string | undefined
}

const maxResults = 1000

/** One page of a list; the token says where the next begins. */
export function takePage<T>(list: readonly T[], parameters: Parameters, usual = 100): Page<T> {
  const asked = parameters.optionalNumber('maxResults') ?? 0
  if (asked < 0 || asked > maxResults) {
    throw violation(
      `Value '${asked}' at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to ${maxResults}`,
    )
  }
  const size = asked === 0 ? usual : asked
  const start = readToken(parameters.optionalText('nextToken'))
  const items = list.slice(start, start + size)
  const end = start + items.length
  return {
    items,
    nextToken: end < list.length ? Buffer.from(`from:${end}`).toString('base64url') : undefined,
  }
}

function readToken(token: string | undefined): number {
  if (token === undefined) return 0
  const [, start] = /^from:(\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (start === undefined) throw new ApiError('InvalidToken', `Invalid Token: '${token}'`)
  return Number(start)
}
