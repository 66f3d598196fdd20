import { type ColumnType, digitsOf, isList, isStruct } from './column-type.ts'
import { type Evidence, type Kind, kinds, typeOf } from './evidence.ts'

/**
 * How an engine writes what the rules need. A token is the text of a CSV field, or of a JSON value: a JSON text keeps
 * its quotes, so that "1" is not taken for a number.
 */
export interface Dialect {
  /** Whether the pattern matches all of the text. Patterns use no backslash: engines read those differently. */
  matches(x: string, pattern: string): string
  /** Whether a text that has the right form can be cast. */
  canCast(x: string, type: string): string
  cast(x: string, type: string): string
  /** The text in a token: without the quotes of JSON. */
  text(x: string): string
  /** The text in a token that has no escapes in it: enough for dates and times. */
  bare(x: string): string
  /** What a token of JSON that is neither text nor object nor list is; the token itself for CSV. */
  plain(x: string): string
  length(x: string): string
  /** All digits of a number, without leading zeros. */
  significant(x: string): string
  /** What the first group of the pattern matches, or an empty text. */
  extract(x: string, pattern: string): string
  readonly json?: JsonDialect
}

/** Objects and lists, which only JSON has. */
export interface JsonDialect {
  startsWith(x: string, mark: string): string
  /** A value that was taken out of a line or an object, as a token. */
  token(x: string): string
  /** The token of a field, by all the spellings of its name. */
  field(x: string, keys: readonly string[]): string
  /** Whether an object has no other keys than these, and none twice. */
  hasOnly(x: string, keys: readonly string[]): string
  struct(x: string, fields: readonly (readonly [name: string, sql: string])[]): string
  mapItems(x: string, map: (item: string) => string): string
  allItems(x: string, test: (item: string) => string): string
}

/** There is no year 0. */
const day = '([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])-[0-9]{2}-[0-9]{2}'
const clock = '[T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,6})?'
const offset = '(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])'

const forms = {
  integer: (whole: number | '') => `-?(0|[1-9][0-9]${repeat(whole)})`,
  fraction: (whole: number | '', scale: number | '') =>
    `-?(0|[1-9][0-9]${repeat(whole)})[.][0-9]${scale === '' ? '+' : `{1,${Math.max(1, scale)}}`}`,
  exponent: `-?(0|[1-9][0-9]*)([.][0-9]+)?[eE][+-]?[0-9]{1,2}`,
  date: day,
  localTime: `${day}${clock}`,
  zonedTime: `${day}${clock}${offset}`,
}

/** After a first digit: that many digits in all. */
function repeat(digits: number | ''): string {
  return digits === '' ? '*' : `{0,${Math.max(0, digits - 1)}}`
}

interface Rule {
  readonly kind: Kind
  test(x: string, to: Dialect): string
}

/** The kinds of values, in the order in which they are tried. Whatever is none of them is text. */
const rules: readonly Rule[] = [
  {
    kind: 'integer',
    test: (x, to) => `${to.matches(to.plain(x), forms.integer(19))} AND ${to.canCast(to.plain(x), 'bigint')}`,
  },
  { kind: 'longInteger', test: (x, to) => to.matches(to.plain(x), forms.integer(38)) },
  { kind: 'fraction', test: (x, to) => to.matches(to.plain(x), forms.fraction('', '')) },
  { kind: 'exponent', test: (x, to) => to.matches(to.plain(x), forms.exponent) },
  { kind: 'boolean', test: (x, to) => `${to.plain(x)} IN ('true', 'false')` },
  { kind: 'date', test: (x, to) => isTime(x, to, forms.date, 'date') },
  { kind: 'localTime', test: (x, to) => isTime(x, to, forms.localTime, 'timestamp_ntz') },
  { kind: 'zonedTime', test: (x, to) => isTime(x, to, forms.zonedTime, 'timestamp') },
]

function isTime(x: string, to: Dialect, form: string, type: string): string {
  const text = to.bare(x)
  return `${to.matches(text, form)} AND ${to.canCast(text, type)}`
}

/** The kind of a token, as a number of `kinds`; 0 for null. */
export function kindSql(x: string, to: Dialect): string {
  const toCase = ({ kind, test }: Rule): string => `WHEN ${test(x, to)} THEN ${kinds[kind]}`
  const cases = rules.filter(({ kind }) => kind !== 'boolean').map(toCase)
  const others = [
    ...rules.filter(({ kind }) => kind === 'boolean').map(toCase),
    ...(to.json
      ? [
          `WHEN ${to.json.startsWith(x, '{')} THEN ${kinds.object}`,
          `WHEN ${to.json.startsWith(x, '[')} THEN ${kinds.list}`,
        ]
      : []),
  ]
  // Most texts do not begin as a number or a time does, and need no further look.
  const isOther = `NOT ${to.matches(to.extract(to.bare(x), '^(.)'), '[-0-9]')}`
  return `CASE WHEN ${x} IS NULL THEN 0 WHEN ${isOther} THEN CASE ${others.join(' ')} ELSE ${kinds.text} END ${cases.join(' ')} ELSE ${kinds.text} END`
}

/** Aggregates over tokens and their kinds, in the order of `Evidence`: kinds, whole, fraction, digits. */
export function evidenceSql(x: string, kind: string, to: Dialect): readonly string[] {
  const ofNumbers = (sql: string) => `max(CASE WHEN ${kind} BETWEEN 1 AND 15 THEN ${sql} ELSE 0 END)`
  const number = to.plain(x)
  return [
    `bit_or(${kind})`,
    ofNumbers(to.length(to.extract(number, '^-?([0-9]+)'))),
    ofNumbers(to.length(to.extract(number, '[.]([0-9]+)'))),
    ofNumbers(to.length(to.significant(number))),
  ]
}

/** A token as a value of a type that it fits. */
export function valueSql(x: string, type: ColumnType, to: Dialect, spelling: Spellings = bySelf): string {
  const { json } = to
  if (isStruct(type)) {
    if (!json) throw new TypeError('only JSON has objects')
    const fields = type.fields.map(
      ({ name, type: of }) =>
        [name, valueSql(json.field(x, spelling.keys(name)), of, to, spelling.field(name))] as const,
    )
    return json.struct(x, fields)
  }
  if (isList(type)) {
    if (!json) throw new TypeError('only JSON has lists')
    return json.mapItems(x, item => valueSql(item, type.items, to, spelling.items()))
  }
  if (type === 'string') return to.text(x)
  if (type === 'boolean') return `(${to.plain(x)} = 'true')`
  const isOfText = type === 'date' || type.startsWith('timestamp')
  return to.cast(isOfText ? to.bare(x) : to.plain(x), type)
}

/** How the keys of a field are spelled in the files at hand. */
export interface Spellings {
  keys(name: string): readonly string[]
  field(name: string): Spellings
  items(): Spellings
}

const bySelf: Spellings = { keys: name => [name], field: () => bySelf, items: () => bySelf }

/**
 * Whether a token is covered by the evidence of its column, so that it is exact in the column's type and nothing new is
 * to be learned from it.
 */
export function coveredSql(x: string, evidence: Evidence, to: Dialect): string {
  return `(${x} IS NULL OR ${coveredValue(x, evidence, to)})`
}

function coveredValue(x: string, evidence: Evidence, to: Dialect): string {
  const type = typeOf(evidence)
  if (type === undefined || evidence.assumed !== undefined) return 'FALSE'
  const { json } = to
  if (type === 'string') return isText(x, to)
  if (json && isStruct(type)) {
    const { fields = [] } = evidence
    const covered = fields.map(({ name, evidence: of }) => coveredSql(json.field(x, [name]), of, to))
    const only = json.hasOnly(
      x,
      fields.map(({ name }) => name),
    )
    return `(${[json.startsWith(x, '{'), only, ...covered].join(' AND ')})`
  }
  if (json && isList(type)) {
    const { items } = evidence
    if (items === undefined) return 'FALSE'
    return `(${json.startsWith(x, '[')} AND ${json.allItems(x, item => coveredSql(item, items, to))})`
  }
  const tests = rules
    .filter(({ kind }) => (evidence.kinds & kinds[kind]) !== 0)
    .map(rule => bounded(rule, x, evidence, to))
  return `(${tests.join(' OR ')})`
}

/** A number as JSON's reader prints it need not have the digits of the file: columns of texts take texts as they are. */
export function isText(x: string, to: Dialect): string {
  return to.json ? `(${to.json.startsWith(x, '"')} OR ${x} IN ('true', 'false'))` : 'TRUE'
}

function bounded({ kind, test }: Rule, x: string, evidence: Evidence, to: Dialect): string {
  const { whole, fraction, digits } = evidence
  const number = to.plain(x)
  const isShort = whole + fraction <= digits ? '' : ` AND ${to.length(to.significant(number))} <= ${digits}`
  if (kind === 'integer' && whole <= 18) return `(${to.matches(number, forms.integer(whole))}${isShort})`
  if (kind === 'longInteger') return `(${to.matches(number, forms.integer(whole))}${isShort})`
  if (kind === 'fraction') return `(${to.matches(number, forms.fraction(whole, fraction))}${isShort})`
  return `(${test(x, to)}${kind === 'exponent' ? isShort : ''})`
}

const numberKinds = kinds.integer | kinds.longInteger | kinds.fraction | kinds.exponent

const ofType: Readonly<Record<string, number>> = {
  bigint: kinds.integer,
  boolean: kinds.boolean,
  date: kinds.date,
  timestamp_ntz: kinds.localTime,
  timestamp: kinds.zonedTime,
}

/** Whether a token, of a kind, leaves a column the type that it has. */
export function keepsTypeSql(
  kind: string,
  x: string,
  type: ColumnType,
  evidence: Evidence,
  to: Dialect,
): string {
  if (typeof type !== 'string') return coveredSql(x, evidence, to)
  if (type === 'string') return 'TRUE'
  const only = ofType[type]
  if (only !== undefined) return `${kind} IN (0, ${only})`
  if (type !== 'double') return fitsTypeSql(kind, x, type, to)
  return `(${kind} = 0 OR (${kind} BETWEEN 1 AND 15 AND ${to.length(to.significant(to.plain(x)))} <= 15))`
}

/** Whether all of a column's values can be read as a type that was given, by what is known of them. */
export function fitsType({ kinds: seen, whole, fraction }: Evidence, type: string): boolean {
  if (type === 'string') return true
  const digits = digitsOf(type)
  if (digits) {
    const isExact = (seen & ~(numberKinds & ~kinds.exponent)) === 0 && fraction <= digits.fraction
    return isExact && whole <= digits.whole && (type !== 'bigint' || (seen & kinds.longInteger) === 0)
  }
  const allowed = {
    double: numberKinds,
    boolean: kinds.boolean,
    date: kinds.date,
    timestamp: kinds.date | kinds.localTime | kinds.zonedTime,
  }[type]
  return allowed !== undefined && (seen & ~allowed) === 0
}

/** The same as a test of one token, for the second pass that looks for the first value that does not fit. */
export function fitsTypeSql(kind: string, x: string, type: string, to: Dialect): string {
  const digits = digitsOf(type)
  if (!digits) {
    const fitting = Object.values(kinds).filter(bit =>
      fitsType({ kinds: bit, whole: 0, fraction: 0, digits: 0 }, type),
    )
    return `${kind} IN (0, ${fitting.join(', ')})`
  }
  const number = to.plain(x)
  const kindsOf = type === 'bigint' ? '0, 1' : '0, 1, 2, 4'
  const whole = `${to.length(to.extract(number, '^-?([0-9]+)'))} <= ${digits.whole}`
  const scale = `${to.length(to.extract(number, '[.]([0-9]+)'))} <= ${digits.fraction}`
  return `(${kind} = 0 OR (${kind} IN (${kindsOf}) AND ${whole} AND ${scale}))`
}
