import { ByteWriter } from './byte-writer.ts'
import { assertWellFormed } from './copy-data.ts'
import type { Column } from './table.ts'
import { toColumnLiteral } from './text-form.ts'

type Fields = Readonly<Record<string, unknown>>

/** One array per column, as bind parameters: binary where all values have a binary form, or else a literal. */
export function encodeArrays(rows: readonly object[], columns: readonly Column[]): (Buffer | string)[] {
  return columns.map(column => {
    const binary = encodeBinaryArray(rows as readonly Fields[], column)
    if (binary) return binary
    const text = toColumnLiteral(
      (rows as readonly Fields[]).map(row => row[column.name]),
      column,
    )
    assertWellFormed(text, rows, columns)
    return text
  })
}

function encodeBinaryArray(rows: readonly Fields[], { name, typeOid, binary }: Column): Buffer | undefined {
  if (!binary) return undefined
  const out = new ByteWriter(64 + rows.length * 32)
  out.int32(1)
  // Says whether there are NULLs; a 1 without any is allowed.
  out.int32(1)
  out.int32(typeOid)
  out.int32(rows.length)
  out.int32(1)
  for (const row of rows) {
    const value = row[name]
    if (value === null || value === undefined) out.int32(-1)
    else if (!binary(out, value)) return undefined
  }
  return out.done()
}
