import type { Dialect } from '../dialect/dialect.ts'
import { withoutEscapes } from '../dialect/text-encoding.ts'
import { escaped, offset } from '../scan/text-rows.ts'

type Build = (text: string, offsets: Int32Array, rows: number) => Record<string, string>[]

/** Turns scanned offsets into one object a row, with the columns as keys, in their order. */
export interface RowBuilder {
  readonly plain: Build
  /** The same where some fields are quoted. */
  readonly quoted: Build
}

/** Literals of more columns than this are no longer optimised. */
const literalColumns = 256

/** Builders of the last files: the chunks of one file share theirs, and what V8 has learnt about it. */
const recent = new Map<string, RowBuilder>()
const maxRecent = 16

/**
 * An object literal that is written for these columns builds rows about twice as fast as assigning by name.
 * Where code generation is forbidden, and for very wide files, rows are assigned by name.
 */
export function createRowBuilder(
  columns: readonly string[],
  { quote, encoding }: Pick<Dialect, 'quote' | 'encoding'>,
): RowBuilder {
  const { plain, quoted } = builderOf(columns, quote)
  if (encoding !== 'ISO-2022-JP') return { plain, quoted }
  return { plain: stripped(plain), quoted: stripped(quoted) }
}

function stripped(build: Build): Build {
  return (text, offsets, rows) =>
    build(text, offsets, rows).map(row =>
      Object.fromEntries(Object.entries(row).map(([column, field]) => [column, withoutEscapes(field)])),
    )
}

function builderOf(columns: readonly string[], quote: string): RowBuilder {
  const key = JSON.stringify([quote, columns])
  let builder = recent.get(key)
  recent.delete(key)
  builder ??= make(columns, createUnquote(quote))
  recent.set(key, builder)
  for (const oldest of recent.keys()) if (recent.size > maxRecent) recent.delete(oldest)
  return builder
}

function make(columns: readonly string[], unquote: Unquote): RowBuilder {
  if (columns.length <= literalColumns) {
    try {
      return { plain: generate(columns, false)(unquote), quoted: generate(columns, true)(unquote) }
    } catch {
      // Code generation from strings is disallowed in this process.
    }
  }
  const build = assignByName(columns, unquote)
  return { plain: build, quoted: build }
}

type Unquote = (text: string, start: number, end: number) => string

/** Takes the quotes off a field, and one of each two inside. */
function createUnquote(quote: string): Unquote {
  return (text, start, end) => {
    const last = (end & offset) - 1
    let from = start + 1
    if ((end & escaped) === 0) return text.slice(from, last)
    let value = ''
    // The search for one quote ends at the closing one; for two it could run through the whole text.
    for (let at = text.indexOf(quote, from); at < last; at = text.indexOf(quote, from)) {
      value += text.slice(from, at + 1)
      from = at + 2
    }
    return value + text.slice(from, last)
  }
}

function assignByName(columns: readonly string[], unquote: Unquote): Build {
  return (text, offsets, rows) => {
    const result: Record<string, string>[] = []
    for (let row = 0, at = 0; row < rows; row += 1) {
      let start = offsets[at++] as number
      const built: Record<string, string> = {}
      for (const column of columns) {
        const end = offsets[at++] as number
        const value = end >= 0 ? text.slice(start, end) : unquote(text, start, end)
        if (column === '__proto__') {
          Object.defineProperty(built, column, {
            value,
            enumerable: true,
            configurable: true,
            writable: true,
          })
        } else {
          built[column] = value
        }
        start = (end & offset) + 1
      }
      result.push(built)
    }
    return result
  }
}

function generate(columns: readonly string[], quoted: boolean): (unquote: Unquote) => Build {
  // Where no flags are carried, "unsigned" spares V8 the question whether an offset counts from the text's end.
  const unsigned = quoted ? '' : ' >>> 0'
  const reads: string[] = []
  const properties: string[] = []
  for (const [index, column] of columns.entries()) {
    const end = `e${index}`
    const previous = `e${index - 1}`
    const start = index === 0 ? 's' : quoted ? `(${previous} & ${offset}) + 1` : `${previous} + 1`
    reads.push(`const ${end} = offsets[at + ${index + 1}]${unsigned}`)
    const plain = `text.slice(${start}, ${end})`
    const inner = `text.slice(${start} + 1, (${end} & ${offset}) - 1)`
    const unquoted = `${end} & ${escaped} ? unquote(text, ${start}, ${end}) : ${inner}`
    // As a plain key, __proto__ would set the prototype.
    const key = column === '__proto__' ? '["__proto__"]' : JSON.stringify(column)
    properties.push(`${key}: ${quoted ? `${end} >= 0 ? ${plain} : ${unquoted}` : plain}`)
  }
  const body = `return function (text, offsets, rows) {
    const result = new Array(rows)
    for (let row = 0, at = 0; row < rows; row++, at += ${columns.length + 1}) {
      const s = offsets[at] >>> 0
      ${reads.join('\n      ')}
      result[row] = { ${properties.join(', ')} }
    }
    return result
  }`
  return new Function('unquote', body) as (unquote: Unquote) => Build
}
