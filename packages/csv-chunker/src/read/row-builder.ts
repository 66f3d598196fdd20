import type { Dialect } from '../dialect/dialect.ts'
import { withoutEscapes } from '../dialect/text-encoding.ts'
import { type FieldTables, offset, quotedFlag, type ScannedFields } from '../scan/scanned-fields.ts'

/** Turns scanned fields into one object a row, with the columns as keys, in their order. */
export type RowBuilder = Builder<Record<string, string>>

/** The same with one array a row. */
type Builder<Built> = (fields: ScannedFields & FieldTables) => Built[]

/**
 * The code that is written for a file's columns. It takes no object: V8 throws code away that was optimised for one of
 * which a collection finds nothing alive, as between two files.
 */
type WrittenBuilder = (
  rows: number,
  text: string,
  offsets: Int32Array,
  apart: string,
  apartEnds: Int32Array,
) => Record<string, string>[]

/** Literals of more columns than this are no longer optimised. */
const literalColumns = 256

/** Builders of the last files: the chunks of one file share theirs, and what V8 has learnt about it. */
const recent = new Map<string, RowBuilder>()
const maxRecent = 16

/** Fields alone, for rows as arrays: nothing is written for their columns, whose names do not matter. */
export function createFieldsBuilder(
  columns: readonly string[],
  { encoding }: Pick<Dialect, 'encoding'>,
): Builder<string[]> {
  return fields => {
    const rows: string[][] = []
    eachField(fields, columns.length, (row, value) => {
      if (row === rows.length) rows.push([])
      rows.at(-1)?.push(encoding === 'ISO-2022-JP' ? withoutEscapes(value) : value)
    })
    return rows
  }
}

/**
 * An object literal that is written for these columns builds rows about twice as fast as assigning by name.
 * Where code generation is forbidden, and for very wide files, rows are assigned by name.
 */
export function createRowBuilder(
  columns: readonly string[],
  { encoding }: Pick<Dialect, 'encoding'>,
): RowBuilder {
  let build: RowBuilder | undefined
  return fields => {
    build ??= builderOf(columns, fields)
    const rows = build(fields)
    return encoding === 'ISO-2022-JP' ? rows.map(withoutRowEscapes) : rows
  }
}

function withoutRowEscapes(row: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(row).map(([column, field]) => [column, withoutEscapes(field)]))
}

function builderOf(columns: readonly string[], first: ScannedFields & FieldTables): RowBuilder {
  const pairColumns = columns.map((_, index) => isPairColumn(first, index, columns.length + 1))
  const key = JSON.stringify([columns, pairColumns])
  const builder = recent.get(key) ?? make(columns, pairColumns)
  recent.delete(key)
  recent.set(key, builder)
  for (const oldest of recent.keys()) if (recent.size > maxRecent) recent.delete(oldest)
  return builder
}

function make(columns: readonly string[], pairColumns: readonly boolean[]): RowBuilder {
  if (columns.length <= literalColumns) {
    try {
      const plain = generate(columns, pairColumns, false)(pairAt)
      const mixed = generate(columns, pairColumns, true)(pairAt)
      return fields => {
        const build = fields.mixed ? mixed : plain
        return build(fields.rows, fields.text, fields.offsets, fields.apart, fields.apartEnds)
      }
    } catch {
      // Code generation from strings is disallowed in this process.
    }
  }
  return assignByName(columns)
}

const sampleRows = 32

/** Whether most of a column's first fields have two characters: codes, small numbers. */
function isPairColumn(
  { offsets, rows }: ScannedFields & FieldTables,
  index: number,
  stride: number,
): boolean {
  const sampled = Math.min(rows, sampleRows)
  let pairs = 0
  for (let at = index; at < sampled * stride; at += stride) {
    const start = ((offsets[at] as number) & offset) + (index === 0 ? 0 : 1)
    if ((offsets[at + 1] as number) - start === 2) pairs += 1
  }
  return 2 * pairs > sampled
}

const twoDigits: readonly string[] = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'))

/** Two characters; two digits are the same few strings again and again, and need not be made anew. */
function pairAt(text: string, start: number): string {
  const tens = text.charCodeAt(start) - 48
  const ones = text.charCodeAt(start + 1) - 48
  const areDigits = tens >= 0 && tens < 10 && ones >= 0 && ones < 10
  return areDigits ? (twoDigits[10 * tens + ones] as string) : text.slice(start, start + 2)
}

function assignByName(columns: readonly string[]): RowBuilder {
  return fields => {
    const result: Record<string, string>[] = []
    eachField(fields, columns.length, (row, value, index) => {
      if (row === result.length) result.push({})
      const [built, column] = [result[row] as Record<string, string>, columns[index] as string]
      if (column !== '__proto__') built[column] = value
      else {
        const plain = { value, enumerable: true, configurable: true, writable: true }
        Object.defineProperty(built, column, plain)
      }
    })
    return result
  }
}

/** Visits the fields of all rows, in their order. */
function eachField(
  { text, offsets, apart, apartEnds, rows }: ScannedFields & FieldTables,
  columns: number,
  visit: (row: number, value: string, index: number) => void,
): void {
  let [at, apartStart, apartField] = [0, 0, 0]
  for (let row = 0; row < rows; row += 1) {
    let start = offsets[at++] as number
    for (let index = 0; index < columns; index += 1) {
      const flagged = offsets[at++] as number
      const end = flagged & offset
      const quote = flagged & quotedFlag ? 1 : 0
      if (flagged < 0) {
        const next = apartEnds[apartField++] as number
        visit(row, apart.slice(apartStart, next - 1), index)
        apartStart = next
      } else {
        visit(row, text.slice(start + quote, end - quote), index)
      }
      start = end + 1
    }
  }
}

function generate(
  columns: readonly string[],
  pairColumns: readonly boolean[],
  mixed: boolean,
): (pair: typeof pairAt) => WrittenBuilder {
  const reads: string[] = []
  const properties: string[] = []
  for (const [index, column] of columns.entries()) {
    const [end, value] = [`e${index}`, `v${index}`]
    const previous = `e${index - 1}`
    const start = index === 0 ? 's' : mixed ? `(${previous} & ${offset}) + 1` : `${previous} + 1`
    const part = `text.slice(${start}, ${end})`
    const plain = pairColumns[index] ? `${end} - (${start}) === 2 ? pairAt(text, ${start}) : ${part}` : part
    if (mixed) {
      reads.push(`const ${end} = offsets[at + ${index + 1}]
      let ${value}
      if (${end} < 0) {
        const next = apartEnds[field++]
        ${value} = apart.slice(from, next - 1)
        from = next
      } else if (${end} & ${quotedFlag}) ${value} = text.slice(${start} + 1, (${end} & ${offset}) - 1)
      else ${value} = ${plain}`)
    } else {
      // "Unsigned" spares V8 the question whether an offset counts from the text's end.
      reads.push(`const ${end} = offsets[at + ${index + 1}] >>> 0, ${value} = ${plain}`)
    }
    // As a plain key, __proto__ would set the prototype.
    const key = column === '__proto__' ? '["__proto__"]' : JSON.stringify(column)
    properties.push(`${key}: ${value}`)
  }
  const body = `return function (rows, text, offsets, apart, apartEnds) {
    const result = new Array(rows)
    let from = 0, field = 0
    for (let row = 0, at = 0; row < rows; row++, at += ${columns.length + 1}) {
      const s = offsets[at] >>> 0
      ${reads.join('\n      ')}
      result[row] = { ${properties.join(', ')} }
    }
    return result
  }`
  return new Function('pairAt', body) as (pair: typeof pairAt) => WrittenBuilder
}
