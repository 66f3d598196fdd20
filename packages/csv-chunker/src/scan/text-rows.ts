import { cr, lf, type Marks } from '../dialect/dialect.ts'
import type { Fault } from './record-scanner.ts'
import { apartFlag, type FieldTables, quotedFlag, type ScannedFields } from './scanned-fields.ts'

export interface TextRows extends Omit<ScannedFields, 'text'> {
  /** The position after the last row. */
  readonly stop: number
  readonly fault: Fault | undefined
}

/**
 * Writes a row's start and its fields' ends to the tables, row after row, as `rows` of simd/scanner.wat does, but
 * from decoded text: for encodings whose characters the module cannot count. Only fields with escaped quotes are
 * kept apart.
 */
export function scanTextRows(
  text: string,
  { delimiter, quote, newline }: Marks,
  columns: number,
  { offsets, apartEnds }: FieldTables,
): TextRows {
  const quoteCharacter = String.fromCharCode(quote)
  let rows = 0
  let stop = 0
  let mixed = false
  let apart = ''
  let apartFields = 0
  let cursor = 1
  let column = 0
  let fieldStart = 0
  let quotes = 0
  let inside = false
  offsets[0] = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      if (!inside && at !== fieldStart && text.charCodeAt(at - 1) !== quote) return result('STRAY_QUOTE')
      inside = !inside
      quotes += 1
      mixed = true
      continue
    }
    if (inside) continue
    if (code !== delimiter && code !== newline) {
      const crBeforeLf =
        code === cr && newline === lf && (text.charCodeAt(at + 1) === lf || at + 1 === text.length)
      if (quotes > 0 && !crBeforeLf) return result('TEXT_AFTER_QUOTE')
      continue
    }
    const isEnd = code === newline
    const end = isEnd && newline === lf && at > fieldStart && text.charCodeAt(at - 1) === cr ? at - 1 : at
    if (isEnd && column === 0 && quotes === 0 && end === fieldStart) {
      cursor -= 1
    } else {
      column += 1
      if (isEnd ? column !== columns : column >= columns) return result('COLUMN_COUNT')
      if (quotes > 2) keepApart(text.slice(fieldStart + 1, end - 1))
      offsets[cursor++] = end | (quotes > 0 ? quotedFlag : 0) | (quotes > 2 ? apartFlag : 0)
      if (isEnd) rows += 1
    }
    if (isEnd) {
      column = 0
      stop = at + 1
      offsets[cursor++] = stop
      if (cursor + columns > offsets.length) return result(undefined)
    }
    fieldStart = at + 1
    quotes = 0
  }
  return result(undefined)

  function keepApart(field: string): void {
    apart += `${field.replaceAll(quoteCharacter + quoteCharacter, quoteCharacter)}\n`
    apartEnds[apartFields++] = apart.length
  }

  function result(fault: Fault | undefined): TextRows {
    return { rows, mixed, apart, stop, fault }
  }
}
