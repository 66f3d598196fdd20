import { disarmFormula } from './formula.ts'

/**
 * Rows as a CSV for spreadsheets: header, UTF-8, CRLF, quotes as needed. What a spreadsheet would run as a formula gets
 * a `'` in front, also after a separator inside a field; `rearmFormula` removes it.
 */
export async function* formatCsv(
  columns: readonly string[],
  rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>,
): AsyncGenerator<Uint8Array> {
  const toField = (field: string) => quote(disarmFormula(field))
  const toLine = (fields: readonly string[]) => Buffer.from(`${fields.map(toField).join(',')}\r\n`)
  // Without a byte order mark, Excel reads UTF-8 in the encoding of its country.
  yield Buffer.from('\uFEFF')
  yield toLine(columns)
  for await (const row of rows) yield toLine(row)
}

function quote(field: string): string {
  return /[",;|\t\r\n]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
