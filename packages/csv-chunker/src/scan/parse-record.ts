import { cr, lf, type Marks } from '../dialect/dialect.ts'
import type { Fault } from './record-scanner.ts'

/** One record, read character by character: what the fast paths hand over when something is wrong. */
export interface ParsedRecord {
  readonly fields: readonly string[]
  /** Where each field starts in the text, its quote included. */
  readonly starts: readonly number[]
  /** The position after the record's line end, or the end of the text. */
  readonly end: number
  /** Whether the line end was seen. */
  readonly complete: boolean
  /** Whether a quote is still open at the end of the text. */
  readonly unclosed: boolean
  readonly fault: { readonly kind: Fault; readonly column: number; readonly at: number } | undefined
}

/** Reads the record at `from`. A misplaced quote is reported and taken as text. */
export function parseRecord(text: string, from: number, { delimiter, quote, newline }: Marks): ParsedRecord {
  const fields: string[] = []
  const starts: number[] = []
  let fault: ParsedRecord['fault']
  const report = (kind: Fault, at: number): void => {
    fault ??= { kind, column: fields.length, at }
  }
  let at = from
  for (;;) {
    starts.push(at)
    let value = ''
    if (text.charCodeAt(at) === quote) {
      let close = at
      for (;;) {
        const next = text.indexOf(String.fromCharCode(quote), close + 1)
        if (next < 0) {
          fields.push(value + text.slice(close + 1))
          return { fields, starts, end: text.length, complete: false, unclosed: true, fault }
        }
        value += text.slice(close + 1, next)
        close = next + 1
        if (text.charCodeAt(close) !== quote) break
        value += String.fromCharCode(quote)
      }
      at = close
    }
    const plain = at
    const afterQuote = plain > (starts.at(-1) as number)
    let code = text.charCodeAt(at)
    for (; at < text.length && code !== delimiter && code !== newline; code = text.charCodeAt(++at)) {
      if (code === quote && !afterQuote) report('STRAY_QUOTE', at)
    }
    const lineEnd = code === newline || at >= text.length
    const end = lineEnd && newline === lf && at > plain && text.charCodeAt(at - 1) === cr ? at - 1 : at
    if (afterQuote && end > plain) report('TEXT_AFTER_QUOTE', plain)
    fields.push(value + text.slice(plain, end))
    if (at >= text.length) return { fields, starts, end: at, complete: false, unclosed: false, fault }
    at += 1
    if (lineEnd) return { fields, starts, end: at, complete: true, unclosed: false, fault }
  }
}

/** Whether the record is an empty line, which is no record. */
export function isEmptyLine(
  { fields, starts, fault }: ParsedRecord,
  text: string,
  { quote }: Marks,
): boolean {
  return (
    fields.length === 1 &&
    fields[0] === '' &&
    fault === undefined &&
    text.charCodeAt(starts[0] as number) !== quote
  )
}
