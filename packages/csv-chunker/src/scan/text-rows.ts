import { cr, lf, type Marks } from '../dialect/dialect.ts'
import type { Fault } from './record-scanner.ts'

export interface RowOffsets {
  readonly rows: number
  /** The position after the last row. */
  readonly stop: number
  readonly fault: Fault | undefined
  readonly quoted: boolean
}

/** Set on a field's end offset: the field is quoted; it also holds escaped quotes. */
const quotedFlag: number = 0x8000_0000 | 0
export const escaped: number = 0x4000_0000
export const offset: number = 0x3fff_ffff

/**
 * Writes a row's start and its fields' ends to `out`, row after row, as `rows` of simd/scanner.wat does, but
 * from decoded text: for encodings whose characters the module cannot count.
 */
export function scanTextRows(
  text: string,
  { delimiter, quote, newline }: Marks,
  columns: number,
  out: Int32Array,
): RowOffsets {
  let rows = 0
  let stop = 0
  let quoted = false
  let cursor = 1
  let column = 0
  let fieldStart = 0
  let quotes = 0
  let inside = false
  out[0] = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      if (!inside && at !== fieldStart && text.charCodeAt(at - 1) !== quote) return result('STRAY_QUOTE')
      inside = !inside
      quotes += 1
      quoted = true
      continue
    }
    if (inside) continue
    if (code !== delimiter && code !== newline) {
      const crBeforeLf =
        code === cr && newline === lf && (text.charCodeAt(at + 1) === lf || at + 1 === text.length)
      if (quotes > 0 && !crBeforeLf) return result('TEXT_AFTER_QUOTE')
      continue
    }
    const flags = quotes === 0 ? 0 : quotes === 2 ? quotedFlag : quotedFlag | escaped
    if (code === delimiter) {
      if (++column >= columns) return result('COLUMN_COUNT')
      out[cursor++] = at | flags
    } else {
      const end = newline === lf && at > fieldStart && text.charCodeAt(at - 1) === cr ? at - 1 : at
      if (column === 0 && quotes === 0 && end === fieldStart) {
        cursor -= 1
      } else {
        if (++column !== columns) return result('COLUMN_COUNT')
        out[cursor++] = end | flags
        rows += 1
      }
      column = 0
      stop = at + 1
      out[cursor++] = stop
      if (cursor + columns > out.length) return result(undefined)
    }
    fieldStart = at + 1
    quotes = 0
  }
  return result(undefined)

  function result(fault: Fault | undefined): RowOffsets {
    return { rows, stop, fault, quoted }
  }
}
