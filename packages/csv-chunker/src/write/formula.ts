/**
 * Where a spreadsheet may see a cell that is a formula: at the start of the field, and after every separator in it,
 * because spreadsheets of other countries split at `;`, TAB or `|`, and then quotes do not hold the field together.
 * Japanese spreadsheets also run signs of full width.
 */
const formulas = /^(?=["']*[\t\r\n])|(?<=^|[,;|\t\r\n])(?=["']*[=+\-@＝＋－＠])/g

/** What `disarmFormula` put there. */
const escapes = /^'(?=["']*[\t\r\n])|(?<=^|[,;|\t\r\n])'(?=["']*[=+\-@＝＋－＠])/g

/** The field with a `'` before everything that a spreadsheet would run, and that `rearmFormula` would change. */
export function disarmFormula(field: string): string {
  return field.replace(formulas, "'")
}

/** What `disarmFormula` was given. */
export function rearmFormula(field: string): string {
  return field.includes("'") ? field.replace(escapes, '') : field
}
