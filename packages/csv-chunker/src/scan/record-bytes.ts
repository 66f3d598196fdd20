import { type Dialect, marksOf, unitBytes } from '../dialect/dialect.ts'
import { decodeLoosely } from '../dialect/text-encoding.ts'
import { parseRecord } from './parse-record.ts'

/** How far the record at the start of the bytes reaches, well-formed or not. */
export interface RecordExtent {
  readonly bytes: number
  /** Whether its line end was seen. */
  readonly complete: boolean
}

/** Marks are ASCII, so that one byte a character is enough to find them; UTF-16 has two. */
export function measureRecord(bytes: Buffer, dialect: Dialect): RecordExtent {
  const marks = marksOf(dialect)
  const size = unitBytes(dialect.encoding)
  for (let length = Math.min(bytes.length, 4096); ; length = Math.min(bytes.length, length * 8)) {
    const part = bytes.subarray(0, length - (length % size))
    const text = size === 1 ? part.toString('latin1') : decodeLoosely(part, dialect.encoding)
    const { end, complete } = parseRecord(text, 0, marks)
    if (complete) return { bytes: end * size, complete }
    if (length === bytes.length) return { bytes: bytes.length, complete }
  }
}
