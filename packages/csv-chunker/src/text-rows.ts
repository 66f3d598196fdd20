import { CR, LF, type Marks } from './dialect.ts'
import type { Fault } from './scanner.ts'

export interface RowOffsets {
  readonly rows: number
  /** The position after the last row. */
  readonly stop: number
  readonly fault: Fault | undefined
  readonly quoted: boolean
}

/** Set on a field's end offset: the field is quoted; it also holds escaped quotes. */
const QUOTED: number = 0x8000_0000 | 0
export const ESCAPED: number = 0x4000_0000
export const OFFSET: number = 0x3fff_ffff

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
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      if (!inside && at !== fieldStart && text.charCodeAt(at - 1) !== quote) return result('STRAY_QUOTE')
      inside = !inside
      quotes++
      quoted = true
      continue
    }
    if (inside) continue
    if (code !== delimiter && code !== newline) {
      const crBeforeLf =
        code === CR && newline === LF && (text.charCodeAt(at + 1) === LF || at + 1 === text.length)
      if (quotes > 0 && !crBeforeLf) return result('TEXT_AFTER_QUOTE')
      continue
    }
    const flags = quotes === 0 ? 0 : quotes === 2 ? QUOTED : QUOTED | ESCAPED
    if (code === delimiter) {
      if (++column >= columns) return result('COLUMN_COUNT')
      out[cursor++] = at | flags
    } else {
      const end = newline === LF && at > fieldStart && text.charCodeAt(at - 1) === CR ? at - 1 : at
      if (column === 0 && quotes === 0 && end === fieldStart) {
        cursor--
      } else {
        if (++column !== columns) return result('COLUMN_COUNT')
        out[cursor++] = end | flags
        rows++
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
