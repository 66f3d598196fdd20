import { ByteWriter } from './byte-writer.ts'
import { findIllFormed } from './copy-data.ts'
import type { Column } from './table.ts'
import { toColumnLiteral } from './text-form.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * One array per column, as bind parameters: binary where all values have a binary form, or else a literal.
 * Throws a `RefusedBatchError` for a text that cannot be sent.
 */
export function encodeArrays(given: readonly object[], columns: readonly Column[]): (Buffer | string)[] {
  const rows = given as readonly Fields[]
  return columns.map(column => {
    const binary = encodeBinaryArray(rows, column)
    if (binary) return binary
    const literal = toColumnLiteral(
      rows.map(row => row[column.name]),
      column,
    )
    const refusal = findIllFormed(literal, rows, [column])
    if (refusal) throw refusal
    return literal
  })
}

function encodeBinaryArray(rows: readonly Fields[], { name, typeOid, binary }: Column): Buffer | undefined {
  if (!binary) return undefined
  const out = new ByteWriter(Buffer.allocUnsafeSlow(64 + rows.length * 32))
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
