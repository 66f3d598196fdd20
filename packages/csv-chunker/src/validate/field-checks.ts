import { type CsvProblem, cut, type ProblemCode, redact, shortName } from '../csv-problem.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { bytesOfUnits, decodeLoosely } from '../dialect/text-encoding.ts'
import type { RowWindow } from '../read/row-windows.ts'
import { offset, quotedFlag } from '../scan/scanned-fields.ts'

export interface FieldChecks {
  readonly dialect: Dialect
  readonly columns: readonly string[]
  readonly formulas: 'ignore' | 'warn' | 'error'
  readonly showText: boolean
  /** Whether one more warning would be kept: if not, nobody needs to make it. */
  readonly keepsWarnings: () => boolean
  readonly onProblem: (problem: CsvProblem) => void
}

/** Spreadsheets take a cell that starts so for a formula. */
const formulaStart = new Set(['=', '+', '-', '@', '\t', '\r'].map(character => character.charCodeAt(0)))
const number = /^[+-]?[\d.,\s]+%?$/

/** Looks at every field of some of a window's rows, which must be taken in order, without making a string of it. */
export type FieldCheck = (from: number, to: number) => void

export function createFieldCheck(window: RowWindow, checks: FieldChecks): FieldCheck {
  const { columns, formulas, keepsWarnings, onProblem } = checks
  const { text, offsets, firstRow } = window
  const stride = columns.length + 1
  let nul = text.indexOf('\0')
  return (fromRow, toRow) => {
    for (let index = fromRow, at = fromRow * stride; index < toRow; index += 1) {
      let start = offsets[at++] as number
      for (let column = 0; column < columns.length; column += 1) {
        const flagged = offsets[at++] as number
        const end = flagged & offset
        const quote = flagged & quotedFlag ? 1 : 0
        const [from, to] = [start + quote, end - quote]
        if (formulaStart.has(text.charCodeAt(from)) && to > from) checkFormula(index, column, from, to)
        if (nul >= 0 && nul < to) {
          report('NUL_BYTE', 'error', 'the field holds a NUL', index, column, from, to, nul)
          nul = text.indexOf('\0', to)
        }
        start = end + 1
      }
    }
  }

  function checkFormula(index: number, column: number, from: number, to: number): void {
    // A column of telephone numbers has one in every row.
    if (formulas === 'ignore' || (formulas === 'warn' && !keepsWarnings())) return
    if (number.test(text.slice(from, to)) || number.test(textBetween(window, checks, from, to))) return
    const severity = formulas === 'warn' ? 'warning' : 'error'
    const message = 'a spreadsheet would take the field for a formula'
    report('FORMULA', severity, message, index, column, from, to)
  }

  function report(
    code: ProblemCode,
    severity: CsvProblem['severity'],
    message: string,
    index: number,
    column: number,
    from: number,
    to: number,
    at = from,
  ): void {
    const place = placeOf(window, checks, firstRow + index, column, at, textBetween(window, checks, from, to))
    onProblem({ code, severity, message, ...place })
  }
}

/** Where the text of a row's field starts, behind its quote. */
export function fieldStart({ offsets }: RowWindow, columns: number, index: number, column: number): number {
  const at = index * (columns + 1) + column
  const start = ((offsets[at] as number) & offset) + (column === 0 ? 0 : 1)
  return (offsets[at + 1] as number) & quotedFlag ? start + 1 : start
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
