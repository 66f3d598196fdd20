import { type CsvProblem, cut, type ProblemCode, redact, shortName } from '../csv-problem.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { bytesOfUnits, decodeLoosely } from '../dialect/text-encoding.ts'
import type { RowWindow } from '../read/row-windows.ts'
import { offset, quotedFlag } from '../scan/scanned-fields.ts'

export interface FieldChecks {
  readonly dialect: Dialect
  readonly columns: readonly string[]
  readonly formulas: 'ignore' | 'warn' | 'error'
  readonly maxFieldBytes: number
  readonly showText: boolean
  readonly onProblem: (problem: CsvProblem) => void
}

/** Spreadsheets take a cell that starts so for a formula. */
const formulaStart = new Set(['=', '+', '-', '@', '\t', '\r'].map(character => character.charCodeAt(0)))
const number = /^[+-]?[\d.,\s]+%?$/

/** Looks at every field of a window without making a string of it. */
export function checkFields(window: RowWindow, checks: FieldChecks): void {
  const { columns, formulas, maxFieldBytes, onProblem } = checks
  const { text, offsets, firstRow, rows } = window
  const stride = columns.length + 1
  // A character has at most three bytes for each of its code units.
  const suspiciousUnits = Math.floor(maxFieldBytes / 3)
  const hasNul = text.includes('\0')
  for (let row = 0; row < rows; row += 1) {
    let start = offsets[row * stride] as number
    for (let column = 0; column < columns.length; column += 1) {
      const end = offsets[row * stride + column + 1] as number
      const quoted = end & quotedFlag ? 1 : 0
      const from = start + quoted
      const to = (end & offset) - quoted
      start = (end & offset) + 1
      const report = (
        code: ProblemCode,
        severity: CsvProblem['severity'],
        message: string,
        at = from,
      ): void =>
        onProblem({
          code,
          severity,
          message,
          ...placeOf(window, checks, firstRow + row, column, at, textBetween(window, checks, from, to)),
        })
      if (to - from > suspiciousUnits) {
        const bytes = bytesBetween(window, from, to).length
        if (bytes > maxFieldBytes) {
          report('FIELD_TOO_LONG', 'error', `the field has ${bytes} bytes, more than ${maxFieldBytes}`)
        }
      }
      if (formulas !== 'ignore' && to > from && formulaStart.has(text.charCodeAt(from))) {
        const isNumber =
          number.test(text.slice(from, to)) || number.test(textBetween(window, checks, from, to))
        if (!isNumber) {
          const severity = formulas === 'warn' ? 'warning' : 'error'
          report('FORMULA', severity, 'a spreadsheet would take the field for a formula')
        }
      }
      if (hasNul) {
        const at = text.indexOf('\0', from)
        if (at >= 0 && at < to) report('NUL_BYTE', 'error', 'the field holds a NUL', at)
      }
    }
  }
}

function bytesBetween({ bytes, textEncoding }: RowWindow, from: number, to: number): Buffer {
  return bytes.subarray(bytesOfUnits(bytes, from, textEncoding), bytesOfUnits(bytes, to, textEncoding))
}

/** What stands between two offsets, as people read it. */
export function textBetween(
  window: RowWindow,
  { dialect }: Pick<FieldChecks, 'dialect'>,
  from: number,
  to: number,
): string {
  return decodeLoosely(bytesBetween(window, from, to), dialect.encoding)
}

/** Where a field lies, for a problem. */
export function placeOf(
  { bytes, byteOffset, textEncoding }: RowWindow,
  { columns, showText }: Pick<FieldChecks, 'columns' | 'showText'>,
  rowNumber: number,
  column: number,
  unit: number,
  text: string,
): Pick<CsvProblem, 'rowNumber' | 'column' | 'byteOffset' | 'text'> {
  return {
    rowNumber,
    column: shortName(columns[column] as string),
    byteOffset: byteOffset + bytesOfUnits(bytes, unit, textEncoding),
    text: showText ? cut(text) : redact(text),
  }
}
