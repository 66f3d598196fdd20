import { ESCAPED, OFFSET } from './text-rows.ts'

/** Turns scanned offsets into one object a row, with the columns as keys, in their order. */
export interface RowBuilder {
  plain(text: string, offsets: Int32Array, rows: number): Record<string, string>[]
  /** The same where some fields are quoted. */
  quoted(text: string, offsets: Int32Array, rows: number): Record<string, string>[]
}

/** Literals of more columns than this are no longer optimised. */
const literalColumns = 256

/**
 * An object literal that is written for these columns builds rows about twice as fast as assigning by name.
 * Where code generation is forbidden, and for very wide files, rows are assigned by name.
 */
export function createRowBuilder(columns: readonly string[], quote: string): RowBuilder {
  const unquote = (text: string, start: number, end: number): string => {
    const inner = text.slice(start + 1, (end & OFFSET) - 1)
    return end & ESCAPED ? inner.replaceAll(quote + quote, quote) : inner
  }
  if (columns.length <= literalColumns) {
    try {
      return { plain: generate(columns, false)(unquote), quoted: generate(columns, true)(unquote) }
    } catch {
      // Code generation from strings is disallowed in this process.
    }
  }
  const build: RowBuilder['plain'] = (text, offsets, rows) => {
    const result: Record<string, string>[] = []
    for (let row = 0, at = 0; row < rows; row++) {
      let start = offsets[at++] as number
      const built: Record<string, string> = {}
      for (const column of columns) {
        const end = offsets[at++] as number
        setOwn(built, column, end >= 0 ? text.slice(start, end) : unquote(text, start, end))
        start = (end & OFFSET) + 1
      }
      result.push(built)
    }
    return result
  }
  return { plain: build, quoted: build }
}

/** A row's values by name, as the generated literals make them: a column may be called `__proto__`. */
export function toRow(columns: readonly string[], fields: readonly string[]): Record<string, string> {
  const row: Record<string, string> = {}
  for (const [index, column] of columns.entries()) setOwn(row, column, fields[index] ?? '')
  return row
}

function setOwn(row: Record<string, string>, column: string, value: string): void {
  if (column === '__proto__') {
    Object.defineProperty(row, column, { value, enumerable: true, configurable: true, writable: true })
  } else {
    row[column] = value
  }
}

type Unquote = (text: string, start: number, end: number) => string
type Generated = (unquote: Unquote) => RowBuilder['plain']

function generate(columns: readonly string[], quoted: boolean): Generated {
  const reads: string[] = []
  const properties: string[] = []
  for (const [index, column] of columns.entries()) {
    const start = index === 0 ? 's' : quoted ? `(e${index - 1} & ${OFFSET}) + 1` : `e${index - 1} + 1`
    reads.push(`const e${index} = offsets[at + ${index + 1}]`)
    const slice = `text.substring(${start}, e${index})`
    const inner = `e${index} & ${ESCAPED} ? unquote(text, ${start}, e${index}) : text.substring(${start} + 1, (e${index} & ${OFFSET}) - 1)`
    const value = quoted ? `e${index} >= 0 ? ${slice} : ${inner}` : slice
    // As a plain key, __proto__ would set the prototype.
    const key = column === '__proto__' ? '["__proto__"]' : JSON.stringify(column)
    properties.push(`${key}: ${value}`)
  }
  const body = `return function (text, offsets, rows) {
    const result = new Array(rows)
    for (let row = 0, at = 0; row < rows; row++, at += ${columns.length + 1}) {
      const s = offsets[at]
      ${reads.join('\n      ')}
      result[row] = { ${properties.join(', ')} }
    }
    return result
  }`
  return new Function('unquote', body) as Generated
}
