import { ServiceError } from '@stepwright/local-server'
import { jsonComplaint } from './json-complaint.ts'

/** The parameters of a call, read one by one with AWS's own complaints. */
export interface Parameters {
  readonly has: (name: string) => boolean
  readonly text: (name: string) => string
  readonly optionalText: (name: string) => string | undefined
  readonly optionalChoice: <T extends string>(name: string, choices: readonly T[]) => T | undefined
  readonly optionalNumber: (name: string) => number | undefined
  readonly optionalInteger: (name: string) => number | undefined
  readonly optionalBoolean: (name: string) => boolean | undefined
  readonly optionalObject: (name: string) => Readonly<Record<string, unknown>> | undefined
  readonly optionalList: (name: string) => readonly unknown[] | undefined
}

export function violation(...problems: readonly string[]): ServiceError {
  const found = problems.length === 1 ? '1 validation error' : `${problems.length} validation errors`
  return new ServiceError('ValidationException', `${found} detected: ${problems.join('; ')}`)
}

/** The problem of a parameter that is required, for `violation`. */
export function missing(name: string): string {
  return `Value null at '${name}' failed to satisfy constraint: Member must not be null`
}

function wrongType(name: string, type: string): ServiceError {
  return new ServiceError('SerializationException', `The field '${name}' must be of the type ${type}`)
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
    has: name => body[name] !== undefined && body[name] !== null,
    text: name => {
      const value = optionalText(name)
      if (value === undefined) throw violation(missing(name))
      return value
    },
    optionalText,
    optionalChoice: (name, choices) => {
      const value = optionalText(name)
      const chosen = choices.find(choice => choice === value)
      if (value === undefined || chosen !== undefined) return chosen
      throw violation(
        `Value '${value}' at '${name}' failed to satisfy constraint: Member must satisfy enum value set: [${choices.join(', ')}]`,
      )
    },
    optionalNumber: name => optional(name, 'number', value => typeof value === 'number'),
    optionalInteger: name => optional(name, 'integer', (value): value is number => Number.isInteger(value)),
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
const forbiddenInNames = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\u0000-\u001f\u007f-\u009f\ud800-\udfff\ufffe\uffff]/

/** Names of state machines, executions and activities. */
export function checkName(name: string): string {
  if (forbiddenInNames.test(name)) throw new ServiceError('InvalidName', `Invalid Name: '${name}'`)
  return name
}

const arnPattern = /^arn:aws[\w-]*:states:[\w-]*:\d*:([a-zA-Z]+):.+$/

/** An ARN of one of these kinds. */
export function checkArn(arn: string, ...kinds: readonly string[]): string {
  const kind = arnPattern.exec(arn)?.[1]
  if (kind === undefined) {
    throw new ServiceError('InvalidArn', `Invalid Arn: 'Invalid ARN prefix: ${arn}'`)
  }
  if (!kinds.includes(kind)) {
    throw new ServiceError('InvalidArn', `Invalid Arn: 'Resource type not valid in this context: ${kind}'`)
  }
  return arn
}

/** An ARN of a state machine that can be started or changed on its own, which a Distributed Map in it cannot. */
export function checkMachineArn(arn: string): string {
  const [, label] = checkArn(arn, 'stateMachine').split('/')
  if (label === undefined) return arn
  throw new ServiceError(
    'ValidationException',
    `Invalid Arn: '${arn}' refers to the Distributed Map '${label}'; give the ARN of its state machine`,
  )
}

/** The value of a JSON text. @throws SyntaxError that says in AWS's words why there is none */
export function parseJson(text: string): unknown {
  if (nestsDeeper(text, maxNesting)) throw new SyntaxError(`It is nested more than ${maxNesting} levels deep`)
  try {
    return JSON.parse(text)
  } catch {
    throw new SyntaxError(jsonComplaint(text))
  }
}

/** The text of an execution's input or a task's output, parsed. */
export function parseJsonText(text: string, code: string, what: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new ServiceError(code, `Invalid ${what}: '${(error as SyntaxError).message}'`)
  }
}

/** Why something failed or was stopped, as far as it is said. */
export interface Reason {
  readonly error?: string
  readonly cause?: string
}

export function readReason(parameters: Parameters): Reason {
  const error = parameters.optionalText('error')
  const cause = parameters.optionalText('cause')
  return { ...(error === undefined ? {} : { error }), ...(cause === undefined ? {} : { cause }) }
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

/** Where an item stands in its list: the greater number first, and among the same number by the text. */
export type Order = readonly [number, string]

/**
 * One page of a list. The token says behind which item the next begins, so that none is passed over when others come or
 * go meanwhile.
 */
export function takePage<T>(
  list: readonly T[],
  parameters: Parameters,
  orderOf: (item: T) => Order,
  usual = 100,
): Page<T> {
  const size = readMaxResults(parameters, usual)
  const after = readToken(parameters.optionalText('nextToken'))
  const rest = list
    .map(item => ({ item, order: orderOf(item) }))
    .filter(({ order }) => after === undefined || compare(after, order) < 0)
    .sort((a, b) => compare(a.order, b.order))
  const page = rest.slice(0, size)
  const last = page.at(-1)?.order
  return {
    items: page.map(({ item }) => item),
    nextToken:
      page.length < rest.length ? Buffer.from(JSON.stringify(last)).toString('base64url') : undefined,
  }
}

function compare([number, text]: Order, [otherNumber, otherText]: Order): number {
  if (number !== otherNumber) return otherNumber - number
  return text < otherText ? -1 : text > otherText ? 1 : 0
}

export function readMaxResults(parameters: Parameters, usual: number, most: number = maxResults): number {
  const asked = parameters.optionalInteger('maxResults') ?? 0
  if (asked < 0 || asked > most) {
    const bound = asked < 0 ? 'greater than or equal to 0' : `less than or equal to ${most}`
    throw violation(
      `Value '${asked}' at 'maxResults' failed to satisfy constraint: Member must have value ${bound}`,
    )
  }
  return asked === 0 ? usual : asked
}

function readToken(token: string | undefined): Order | undefined {
  if (token === undefined) return undefined
  try {
    const [number, text] = JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown[]
    if (typeof number === 'number' && typeof text === 'string') return [number, text]
  } catch {}
  throw new ServiceError('InvalidToken', "Invalid Token: 'Invalid token'")
}
