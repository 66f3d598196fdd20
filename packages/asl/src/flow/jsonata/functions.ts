import { sequenceOf } from '../access.ts'
import { join } from '../join.ts'
import { contentOf, listOf } from '../list.ts'
import {
  arrayOf,
  isAnything,
  type JsonType,
  type Origin,
  ofType,
  type Shape,
  splitList,
  unknown,
} from '../shape.ts'
import { aBoolean, aNumber, anyValue, aString, doubted, made, madeOf, type Value } from './value.ts'

/** What is known of one of JSONata's functions. */
export interface JsonataFunction {
  /** The types that each argument may be of; `undefined` for any. A list counts element by element where `each` says so. */
  readonly takes?: readonly (readonly JsonType[] | undefined)[]
  /** What the elements of the first argument must be. */
  readonly each?: readonly JsonType[]
  /** Whether it gives something also where its first argument is nothing. */
  readonly fromNothing?: boolean
  /** What it makes of its arguments, where they are there. */
  readonly makes: (args: readonly Value[], text: string) => Value
}

const text = ['string'] as const
const numeric = ['number'] as const

function of(value: Value, ...takes: readonly (readonly JsonType[])[]): JsonataFunction {
  return { takes, makes: () => value }
}

/** Numbers out of a list of them; of an empty list some make nothing. */
function ofNumbers(emptyIsNothing: boolean): JsonataFunction {
  return {
    takes: [['number', 'array']],
    each: numeric,
    makes: ([list = anyValue], written) =>
      emptyIsNothing ? madeOf(aNumber, [sequenceDoubt(list, written)]) : aNumber,
  }
}

/** Nothing where a list is empty. */
function sequenceDoubt({ shape }: Value, written: string): Value {
  const array = shape.kind === 'known' && shape.types.size === 1 ? shape.array : undefined
  return array === undefined
    ? made(unknown)
    : doubted(written, sequenceOf(ofType('number'), array.minItems, array.maxItems))
}

/** A list with the elements of the first argument, in another order. */
const relisted: JsonataFunction = {
  makes: ([list = anyValue]) => {
    const { items, minItems, maxItems } = contentOf(list.shape)
    return list.shape.kind === 'unknown' ? anyValue : made(arrayOf(items, maxItems, minItems))
  },
}

/** At least one part, but for an empty text without a separator, and for a limit of none. */
function splitText([, separator, limit]: readonly Value[]): Value {
  const fewest = limit === undefined ? [1] : limit.shape.kind === 'known' ? limit.shape.values : undefined
  const isCut = fewest === undefined || fewest.some(most => typeof most !== 'number' || most < 1)
  const separators = separator?.shape.kind === 'known' ? separator.shape.values : undefined
  return made(arrayOf(ofType('string'), undefined, isCut || separators?.includes('') ? 0 : 1))
}

const noFields: Origin = { kind: 'schema', text: 'an object that may have no fields' }

function keysOf({ shape }: Value, written: string): Value {
  if (shape.kind === 'unknown' || isAnything(shape)) return anyValue
  const access = sequenceOf(ofType('string'), fewestKeys(shape), Number.POSITIVE_INFINITY)
  return doubted(written, access.presence === 'sometimes' ? { ...access, missing: noFields } : access)
}

/** How many different names of fields there are at least, in an object or in all objects of a list. */
function fewestKeys(shape: Shape): number | undefined {
  if (shape.kind === 'unknown') return undefined
  const [list, other] = splitList(shape)
  const ofList =
    list &&
    (list.array?.minItems === undefined
      ? undefined
      : list.array.minItems === 0
        ? 0
        : fewestKeys(list.array.items))
  if (other === undefined) return ofList
  const fields = [...(other.object?.fields.values() ?? [])].filter(({ presence }) => presence === 'always')
  const ofOther = other.types.size === 1 ? fields.length : 0
  return list === undefined ? ofOther : ofList === undefined ? undefined : Math.min(ofList, ofOther)
}

/** One list of two values; where one of them is nothing, the other as it is. */
function appended([first = anyValue, second = anyValue]: readonly Value[]): Value {
  if (first.presence === 'never') return second
  if (second.presence === 'never') return first
  const known = first.shape.kind === 'known' && second.shape.kind === 'known'
  let shape = known ? listOf([contentOf(first.shape), contentOf(second.shape)]) : unknown
  if (first.presence !== 'always') shape = join(shape, second.shape)
  if (second.presence !== 'always') shape = join(shape, first.shape)
  const sure = first.presence === 'always' || second.presence === 'always'
  return sure ? made(shape) : madeOf(made(shape), [first, second])
}

const numbers: readonly (readonly [string, JsonataFunction])[] = [
  ['sum', ofNumbers(false)],
  ...['max', 'min', 'average'].map(name => [name, ofNumbers(true)] as const),
  ...['floor', 'ceil', 'round', 'abs', 'sqrt'].map(name => [name, of(aNumber, numeric)] as const),
  ['power', of(aNumber, numeric, numeric)],
  ['length', of(aNumber, text)],
  ['toMillis', of(aNumber, text)],
  ['number', of(aNumber)],
  // what is no number becomes the text NaN once it is JSON
  ['parseInteger', of(made(join(ofType('number'), ofType('string'))), text)],
  ['count', { fromNothing: true, makes: () => aNumber }],
  ...['millis', 'random'].map(name => [name, { fromNothing: true, makes: () => aNumber }] as const),
]

const texts: readonly (readonly [string, JsonataFunction])[] = [
  ...'lowercase uppercase trim base64encode base64decode encodeUrlComponent encodeUrl decodeUrlComponent decodeUrl'
    .split(' ')
    .map(name => [name, of(aString, text)] as const),
  ...['substringBefore', 'substringAfter'].map(name => [name, of(aString, text, text)] as const),
  ...['substring', 'pad'].map(name => [name, of(aString, text, numeric)] as const),
  ['replace', of(aString, text)],
  ...['formatNumber', 'formatInteger'].map(name => [name, of(aString, numeric, text)] as const),
  ['formatBase', of(aString, numeric)],
  ['fromMillis', of(aString, numeric)],
  ...['string', 'type', 'hash'].map(name => [name, of(aString)] as const),
  ['join', { takes: [['string', 'array']], each: text, makes: () => aString }],
  ...['now', 'uuid'].map(name => [name, { fromNothing: true, makes: () => aString }] as const),
]

const others: readonly (readonly [string, JsonataFunction])[] = [
  ['boolean', of(aBoolean)],
  ['contains', of(aBoolean, text)],
  ['not', of(aBoolean)],
  ['exists', { fromNothing: true, makes: () => aBoolean }],
  ['split', { takes: [text], makes: splitText }],
  ...['sort', 'shuffle', 'reverse'].map(name => [name, relisted] as const),
  ['keys', { makes: ([object = anyValue], written) => keysOf(object, written) }],
  ['append', { fromNothing: true, makes: args => appended(args) }],
  ['clone', { makes: ([value = anyValue]) => value }],
  [
    'range',
    {
      fromNothing: true,
      makes: () => made(join(ofType('number'), arrayOf(ofType('number'), Number.POSITIVE_INFINITY, 0))),
    },
  ],
  ['partition', { makes: () => made(arrayOf(unknown)) }],
]

/** The functions of which it is known what they take and make. */
export const knownFunctions: ReadonlyMap<string, JsonataFunction> = new Map([...numbers, ...texts, ...others])
