import { isArray, isObject } from '../json.ts'
import type { Json } from '../language.ts'

export interface PrintStyle {
  /** One level of indentation; empty for a text on one line. */
  readonly indent: string
  readonly newline: string
  /** Lines are kept within this width where they can be. */
  readonly width: number
}

/** Prints JSON at a depth of indentation; arrays of plain values stay on one line where they fit. */
export function printJson(value: Json, margin: string, style: PrintStyle): string {
  const flat = printFlat(value)
  const scalar = !isArray(value) && !isObject(value)
  const short = isArray(value) && value.every(item => !isArray(item) && !isObject(item))
  if (style.indent === '' || scalar || (short && margin.length + flat.length <= style.width - 20)) return flat
  const inner = margin + style.indent
  const lines = isArray(value)
    ? value.map(item => inner + printJson(item, inner, style))
    : Object.entries(value as object).map(
        ([key, field]) => `${inner}${JSON.stringify(key)}: ${printJson(field, inner, style)}`,
      )
  const [open, close] = isArray(value) ? ['[', ']'] : ['{', '}']
  if (lines.length === 0) return `${open}${close}`
  return `${open}${style.newline}${lines.join(`,${style.newline}`)}${style.newline}${margin}${close}`
}

function printFlat(value: Json): string {
  if (isArray(value)) return `[${value.map(printFlat).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}: ${printFlat(field)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

/** The style that a text is written in. */
export function styleOf(text: string): PrintStyle {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? (text.includes('\n') ? '  ' : '')
  return { indent, newline, width: 100 }
}
