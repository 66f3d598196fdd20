import { type Key, type KeyForms, type ToKey, unknownKey } from '../key-form.ts'
import type { Column } from './table.ts'
import { toText } from './text-form.ts'

type Form = Key | typeof unknownKey

/**
 * By the name of the type in pg_type: what the spellings of a value have in common. The other types, and what is
 * spelled in a way that is not read here, are left to the server.
 */
const forms: Readonly<Record<string, (value: unknown, column: Column) => Form>> = {
  int2: integerForm,
  int4: integerForm,
  int8: integerForm,
  numeric: numericForm,
  float8: doubleForm,
  bool: booleanForm,
  text: textForm,
  varchar: (value, column) => {
    const text = textForm(value, column)
    // Spaces beyond the length are cut off.
    return column.hasModifier && typeof text === 'string' && text.endsWith(' ') ? unknownKey : text
  },
  bpchar: (value, column) => {
    const text = textForm(value, column)
    return typeof text === 'string' ? withoutEnd(text, ' ') : text
  },
  citext: (value, column) => {
    const text = textForm(value, column)
    return typeof text === 'string' && isAscii(text) ? text.toLowerCase() : unknownKey
  },
  uuid: uuidForm,
  bytea: byteForm,
  date: dateForm,
  timestamp: timeForm,
  timestamptz: timeForm,
}

/** The key forms of a table's columns. */
export function toKeyForms(columns: readonly Column[]): KeyForms {
  const byName = new Map(columns.map(column => [column.name, toForm(column)]))
  return name => byName.get(name) ?? (() => unknownKey)
}

function toForm(column: Column): ToKey {
  if (column.isEnum) return value => textForm(value, column)
  const form = column.isLoose || column.isCompound ? undefined : forms[column.typeName]
  return form ? value => form(value, column) : () => unknownKey
}

function textForm(value: unknown, column: Column): Form {
  return typeof value === 'string' ? value : (toText(value, column) ?? undefined)
}

const wholeUuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

function uuidForm(value: unknown): Form {
  const text = String(value).toLowerCase()
  if (wholeUuid.test(text)) return text
  const digits = text.replaceAll(/[{}-]/g, '')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}

function integerForm(value: unknown): Form {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value + 0
  const text = String(value).trim()
  if (/^[+-]?\d{1,15}$/.test(text)) return Number(text) + 0
  if (/^[+-]?\d+$/.test(text)) {
    const number = BigInt(text.replace('+', ''))
    return BigInt.asIntN(53, number) === number ? Number(number) : number
  }
  // `0x10` and `1_000` are numbers to newer servers; what has other characters is none to any.
  return /^[+-]?[\da-fox_]+$/i.test(text) ? unknownKey : text
}

const decimal = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d{1,3}))?$/i

function doubleForm(value: unknown): Form {
  const text = String(value).trim()
  return decimal.test(text) ? knownNumber(Number(text)) : unknownKey
}

/** Up to here, different decimals are different doubles. */
const exactDigits = 15
const maxExponent = 290

function numericForm(value: unknown, { roundedType }: Column): Form {
  const text = String(value).trim()
  const [found, sign, whole = '', behind = '', alone = '', exponent = '0'] = decimal.exec(text) ?? []
  if (found === undefined) return unknownKey
  const fraction = withoutEnd(behind + alone, '0')
  // What has more digits than the column is rounded by the server.
  if (roundedType !== undefined && !(fraction.length - Number(exponent) <= scaleOf(roundedType)))
    return unknownKey
  const written = `${whole}${fraction}`.replace(/^0+/, '')
  if (written === '') return 0
  const digits = withoutEnd(written, '0')
  const power = Number(exponent) - fraction.length + written.length - digits.length
  const isExact = digits.length <= exactDigits && Math.abs(power) < maxExponent
  return isExact ? Number(text) : `${sign === '-' ? '-' : ''}${digits}e${power}`
}

/** In linear time: a regular expression would try every run of the character, from every start. */
function withoutEnd(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end -= 1
  return text.slice(0, end)
}

function scaleOf(type: string): number {
  return Number(/^numeric\(\d+,(\d+)\)$/.exec(type)?.[1] ?? Number.NaN)
}

function booleanForm(value: unknown): Form {
  const text = String(value).trim().toLowerCase()
  if (/^(t|tr|tru|true|y|ye|yes|on|1)$/.test(text)) return 'true'
  return /^(f|fa|fal|fals|false|n|no|of|off|0)$/.test(text) ? 'false' : text
}

function byteForm(value: unknown): Form {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  const hex = typeof value === 'string' && /^\\x((?:[\da-f]{2})*)$/i.exec(value)?.[1]
  return typeof hex === 'string' ? Buffer.from(hex, 'hex').toString('latin1') : unknownKey
}

const dayMs = 86_400_000

function dateForm(value: unknown): Form {
  if (value instanceof Date) return knownNumber(Math.floor(value.getTime() / dayMs))
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value) || value < '0001') return unknownKey
  return knownNumber(Date.parse(value) / dayMs)
}

/** Microseconds, as the server counts. */
function timeForm(value: unknown, { roundedType, typeName }: Column): Form {
  const us = value instanceof Date ? value.getTime() * 1000 : parseTime(value, typeName === 'timestamptz')
  return roundedType !== undefined && us % 1_000_000 !== 0 ? unknownKey : knownNumber(us)
}

const isoTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:\.(\d{1,6}))?(Z|[+-]\d\d(?::?\d\d)?)?$/

function parseTime(value: unknown, isZoned: boolean): number {
  const found = typeof value === 'string' ? isoTime.exec(value) : undefined
  const [, day = '', minutes, seconds = ':00', fraction = '', zone] = found ?? []
  // Without a zone, it is the session's.
  if (day < '0001' || (isZoned && zone === undefined)) return Number.NaN
  const ms = Date.parse(`${day}T${minutes}${seconds}${isZoned ? toIsoZone(zone as string) : 'Z'}`)
  return ms * 1000 + Number(fraction.padEnd(6, '0'))
}

function toIsoZone(zone: string): string {
  if (zone === 'Z') return zone
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`
}

function knownNumber(value: number): Form {
  return Number.isFinite(value) ? value + 0 : unknownKey
}
