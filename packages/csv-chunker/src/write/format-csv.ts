import { disarmFormula } from './formula.ts'

export interface FormatCsvOptions {
  /** Without it, Excel takes UTF-8 for the encoding of its country. @default true */
  readonly byteOrderMark?: boolean
  /** Fields that a spreadsheet would run get a `'` in front; `rearmFormula` takes it off. @default 'disarm' */
  readonly formulas?: 'disarm' | 'keep'
}

/** Rows as a CSV that people open in a spreadsheet and that comes back unharmed: header, UTF-8, CRLF, quotes as needed. */
export async function* formatCsv(
  columns: readonly string[],
  rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>,
  { byteOrderMark = true, formulas = 'disarm' }: FormatCsvOptions = {},
): AsyncGenerator<Uint8Array> {
  const toField = formulas === 'disarm' ? (field: string) => quote(disarmFormula(field)) : quote
  const toLine = (fields: readonly string[]) => Buffer.from(`${fields.map(toField).join(',')}\r\n`)
  if (byteOrderMark) yield Buffer.from('\uFEFF')
  yield toLine(columns)
  for await (const row of rows) yield toLine(row)
}

function quote(field: string): string {
  return /[",;|\t\r\n]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
