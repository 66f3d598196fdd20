import { ByteWriter } from './byte-writer.ts'
import { findUnwritable } from './copy-data.ts'
import type { SpareBuffers } from './spare-buffers.ts'
import type { Column } from './table.ts'
import { toColumnLiteral } from './text-form.ts'

type Fields = Readonly<Record<string, unknown>>

/** Rows as bind parameters: however many rows, a parameter a column. */
export interface RowParameters {
  readonly values: readonly (Buffer | string)[]
  /** What to select the rows from, under the name `given`. */
  readonly source: string
  /** The server has taken the values in: their memory is for the next ones. */
  recycle(): void
}

export interface RowParametersOptions {
  readonly spare: SpareBuffers
  /** The name of one more column, with the rows' positions from 1. */
  readonly position?: string
}

/**
 * An array a column, binary where all values have a binary form, or else a literal. Where all rows have the same
 * value, as the key of what they belong to, it is given once: the server is quicker with fewer arrays.
 * Throws a `RefusedBatchError` for a text that cannot be sent.
 */
export function toRowParameters(
  given: readonly object[],
  columns: readonly Column[],
  { spare, position }: RowParametersOptions,
): RowParameters {
  const rows = given as readonly Fields[]
  const values: (Buffer | string)[] = []
  const borrowed: Buffer[] = []
  const selected: string[] = []
  const arrays: string[] = []
  const names: string[] = []
  for (const [index, column] of columns.entries()) {
    const parameter = `$${index + 1}::${column.sqlType}`
    // There must be an array to make rows of.
    const isNeeded = arrays.length === 0 && index === columns.length - 1
    const one = isNeeded ? undefined : encodeShared(rows, column)
    const value = one ?? encodeArray(rows, column, spare)
    values.push(value)
    if (one) {
      selected.push(`${parameter} AS ${column.quoted}`)
    } else {
      if (typeof value !== 'string') borrowed.push(value)
      arrays.push(`${parameter}[]`)
      names.push(column.quoted)
    }
  }
  if (position) names.push(position)
  const unnest = `unnest(${arrays.join(', ')}) ${position ? 'WITH ORDINALITY' : ''}`
  return {
    values,
    source: `(SELECT ${[...selected, 'each.*'].join(', ')} FROM ${unnest} AS each (${names.join(', ')})) AS given`,
    recycle() {
      for (const bytes of borrowed.splice(0)) spare.give(bytes)
    },
  }
}

/** The value of all rows in its binary form; undefined if they differ. */
function encodeShared(rows: readonly Fields[], { name, binary }: Column): Buffer | undefined {
  const value = rows[0]?.[name]
  if (!binary || value === null || value === undefined) return undefined
  // Two zeros of different sign are not the same.
  for (const row of rows) if (!Object.is(row[name], value)) return undefined
  const out = new ByteWriter(Buffer.allocUnsafeSlow(64))
  // The length that stands before a value is the parameter's own here.
  return binary(out, value) ? out.done().subarray(4) : undefined
}

function encodeArray(rows: readonly Fields[], column: Column, spare: SpareBuffers): Buffer | string {
  const binary = encodeBinaryArray(rows, column, spare)
  if (binary) return binary
  const literal = toColumnLiteral(
    rows.map(row => row[column.name]),
    column,
  )
  const refusal = findUnwritable(literal, rows, [column])
  if (refusal) throw refusal
  return literal
}

function encodeBinaryArray(
  rows: readonly Fields[],
  { name, typeOid, binary }: Column,
  spare: SpareBuffers,
): Buffer | undefined {
  if (!binary) return undefined
  const out = new ByteWriter(spare.take(64 + rows.length * 32))
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
