/** Spreadsheets run fields that begin so; Japanese ones also where the sign is of full width. */
const beginsFormula = /^'*[=+\-@＝＋－＠\t\r\n]/

/** The field with a `'` in front, if a spreadsheet would run it or if `rearmFormula` would change it. */
export function disarmFormula(field: string): string {
  return beginsFormula.test(field) ? `'${field}` : field
}

/** What `disarmFormula` was given. */
export function rearmFormula(field: string): string {
  return field.startsWith("'") && beginsFormula.test(field) ? field.slice(1) : field
}
