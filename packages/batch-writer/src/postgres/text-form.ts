import { toJsonText } from './codecs.ts'
import type { Column } from './table.ts'

/** A value as PostgreSQL reads it from text; null is NULL. */
export function toText(value: unknown, column: Column): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (column.isJson) return toJsonText(value)
  if (value instanceof Date) return dateText(value)
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (Array.isArray(value)) return toArrayLiteral(value, column)
  // String() drops the sign of zero.
  if (column.isFloat && Object.is(value, -0)) return '-0'
  return typeof value === 'object' ? toJsonText(value) : String(value)
}

/** The server refuses an invalid date by its text, as it refuses any other. */
function dateText(value: Date): string {
  if (Number.isNaN(value.getTime())) return 'Invalid Date'
  const text = value.toISOString()
  const year = value.getUTCFullYear()
  if (year > 0 && year <= 9999) return text
  // Years beyond four digits have a sign there, which the server does not know; the one before 1 is 1 BC to it.
  const rest = text.slice(text.indexOf('-', 1))
  return year > 0 ? `${year}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`
}

/** The value of an array column. */
function toArrayLiteral(values: readonly unknown[], column: Column): string {
  const items = values.map(value =>
    Array.isArray(value) ? toArrayLiteral(value, column) : quoteItem(toText(value, column)),
  )
  return `{${items.join(',')}}`
}

/** One value of a column after the other, as an array literal: `{"a","b",NULL}`. */
export function toColumnLiteral(values: readonly unknown[], column: Column): string {
  return `{${values.map(value => quoteItem(toText(value, column))).join(',')}}`
}

function quoteItem(text: string | null): string {
  return text === null ? 'NULL' : `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
