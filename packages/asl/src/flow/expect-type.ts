import type { Pointer } from '../source/pointer.ts'
import type { Environment } from './environment.ts'
import { isAnything, type JsonType, type KnownShape, type Shape } from './shape.ts'

/** What the value of a field must be, in either query language. */
const fieldTypes: Readonly<Record<string, JsonType>> = {
  Cause: 'string',
  Condition: 'boolean',
  Error: 'string',
  HeartbeatSeconds: 'number',
  MaxConcurrency: 'number',
  Seconds: 'number',
  TimeoutSeconds: 'number',
  Timestamp: 'string',
  ToleratedFailureCount: 'number',
  ToleratedFailurePercentage: 'number',
}

/** Notes a value that is not, or may not be, of the type that its field needs. */
export function expectType(shape: Shape, pointer: Pointer, environment: Environment): void {
  const field = String(pointer.at(-1))
  const type = fieldTypes[field.replace(/Path$/, '')]
  if (type === undefined) return
  // what a path leads to is read as a number also where it is text
  const numericText = field.endsWith('Path') && type === 'number'
  expectTypes(field, shape, { accepted: [type], numericText, pointer }, environment)
}

export interface Expected {
  readonly accepted: readonly JsonType[]
  /** Whether text is taken that is a number. */
  readonly numericText?: boolean
  /** Whether there may be no value at all, as in an empty list. */
  readonly mayBeNone?: boolean
  readonly pointer: Pointer
}

/** Notes a value that is none, or may be none, of the types that a field or a function takes. */
export function expectTypes(
  what: string,
  shape: Shape,
  { accepted, numericText = false, mayBeNone = false, pointer }: Expected,
  environment: Environment,
): void {
  if (shape.kind === 'unknown' || isAnything(shape)) return
  const refused = [...shape.types].filter(type => !accepted.includes(type))
  const texts = numericText && refused.includes('string') ? numbersAmong(shape) : 'none'
  const wrong = texts === 'all' ? refused.filter(type => type !== 'string') : refused
  if (wrong.length === 0) return
  const certain = wrong.length === shape.types.size && texts === 'none' && !mayBeNone
  environment.note?.({
    rule: certain ? 'flow/wrong-type' : 'flow/doubtful-type',
    pointer,
    message: certain
      ? `${what} needs a value of type ${accepted[0]}, and this is of type ${wrong.join(' or ')}.`
      : `${what} needs a value of type ${accepted[0]}, and this may be ${wrong.map(type => (type === 'string' && numericText ? 'text that is not a number' : `of type ${type}`)).join(' or ')}.`,
    suggestion: certain
      ? 'Point it at another value, or convert it.'
      : 'Say more in the schema, or test the value first.',
  })
}

/** How many of the texts that a value can be are numbers. */
function numbersAmong({ values }: KnownShape): 'all' | 'some' | 'none' {
  const texts = values?.filter(value => typeof value === 'string')
  if (texts === undefined) return 'some'
  const numbers = texts.filter(text => text.trim() !== '' && Number.isFinite(Number(text)))
  return numbers.length === texts.length ? 'all' : numbers.length === 0 ? 'none' : 'some'
}

/** Notes a comparison that never holds, because the value is of none of the types that it compares. */
export function expectComparable(
  shape: Shape,
  compared: {
    readonly types: readonly JsonType[]
    readonly text: string
    readonly what: string
    /** What the comparison comes to. @default 'never' */
    readonly holds?: 'always' | 'never'
  },
  pointer: Pointer,
  environment: Environment,
): void {
  if (shape.kind === 'unknown' || isAnything(shape) || shape.types.size === 0) return
  if (compared.types.some(type => shape.types.has(type))) return
  environment.note?.({
    rule: 'flow/never-equal',
    pointer,
    message: `${compared.text} is of type ${[...shape.types].join(' or ')}, and ${compared.what} compares ${compared.types.join(' or ')}: this ${compared.holds ?? 'never'} holds.`,
    suggestion: 'Compare it with a value of its own type, or point at another value.',
  })
}
