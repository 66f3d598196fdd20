import { isUtf8 } from 'node:buffer'
import { type Dialect, type Encoding, marksOf, unitBytes } from '../dialect/dialect.ts'
import { bytesOfUnits, decode, firstInvalidByte } from '../dialect/text-encoding.ts'
import { type Fault, margin } from './record-scanner.ts'
import type { FieldTables, ScannedFields } from './scanned-fields.ts'
import { createScanner, type ScannerOptions } from './scanner.ts'
import { acquireScanner, releaseScanner } from './scanner-exports.ts'
import { faults, setMarks } from './simd-scanner.ts'
import { scanTextRows } from './text-rows.ts'

/** The rows of a stretch of bytes. */
export interface ScannedRows extends ScannedFields {
  /** The byte position after the last row. */
  readonly stop: number
  readonly fault: Fault | 'INVALID_BYTES' | undefined
}

export interface RowScanner extends FieldTables {
  /** Data is read straight into it, from `dataStart` on. */
  readonly memory: Buffer
  readonly dataStart: number
  /** In which the characters of a window's text are counted: where it is a Latin one, they are bytes. */
  readonly textEncoding: Encoding
  /** Scans the rows that are complete in [start, end). A row starts at `start`. */
  scan(start: number, end: number): ScannedRows
  /** Gives the memory back. */
  release(): void
}

export function createRowScanner(
  dialect: Dialect,
  columns: number,
  dataBytes: number,
  options: ScannerOptions = {},
): RowScanner {
  const tableEntries = Math.max(32_768, 2 * (columns + 2))
  const marks = marksOf(dialect)
  const wide = dialect.encoding === 'UTF-8'
  const fits = wide || (dialect.encoding === 'ISO-8859-1' && marks.quote >= 0)
  const tableBytes = 4 * tableEntries
  const dataStart = 2 * tableBytes + margin
  const apartStart = dataStart + dataBytes + margin
  const bytes = apartStart + dataBytes + margin
  const exports = fits && options.simd !== false ? acquireScanner(bytes) : undefined
  if (!exports) return createTextRowScanner(dialect, columns, dataBytes, tableEntries, options)

  const memory = Buffer.from(exports.memory.buffer)
  setMarks(exports, marks)
  const scanner: RowScanner = {
    memory,
    dataStart,
    textEncoding: 'ISO-8859-1',
    offsets: new Int32Array(exports.memory.buffer, 0, tableEntries),
    apartEnds: new Int32Array(exports.memory.buffer, tableBytes, tableEntries),
    release: () => releaseScanner(exports),
    scan(start, end) {
      memory[start - 1] = marks.newline
      const rows = exports.rows(start, end, 0, tableBytes, apartStart, tableBytes, columns, wide ? 1 : 0)
      const stop = exports.stop.value
      const fault = faults[exports.fault.value]
      if (stop === start) return noRows(start, fault)
      const apartEnd = exports.apartEnd.value
      const apart =
        apartEnd > apartStart ? memory.toString(wide ? 'utf8' : 'latin1', apartStart, apartEnd) : ''
      // Broken bytes have become this character; only where it is found, the bytes need a look of their own.
      if (apart.includes('\ufffd') && !isUtf8(memory.subarray(start, stop))) {
        return rowsBeforeInvalid(scanner, memory.subarray(start, stop), start, dialect)
      }
      const text = memory.toString('latin1', start, stop)
      return { rows, text, mixed: exports.quotes.value > 0 || apart !== '', apart, stop, fault }
    },
  }
  return scanner
}

/** Without a look for where the bytes break, each row before that place would be scanned alone. */
function rowsBeforeInvalid(
  scanner: RowScanner,
  bytes: Buffer,
  start: number,
  { encoding }: Dialect,
): ScannedRows {
  const valid = firstInvalidByte(bytes, encoding)
  const before = valid < bytes.length ? scanner.scan(start, start + valid) : undefined
  return before && before.rows > 0 ? before : noRows(start, 'INVALID_BYTES')
}

function createTextRowScanner(
  dialect: Dialect,
  columns: number,
  dataBytes: number,
  tableEntries: number,
  options: ScannerOptions,
): RowScanner {
  const marks = marksOf(dialect)
  const records = createScanner(dialect, dataBytes, options)
  const { memory } = records
  const tables = { offsets: new Int32Array(tableEntries), apartEnds: new Int32Array(tableEntries) }
  const size = unitBytes(dialect.encoding)
  const scanner: RowScanner = {
    memory,
    dataStart: margin,
    textEncoding: dialect.encoding,
    ...tables,
    release: () => records.release(),
    scan(start, end) {
      records.begin(start)
      const { recordEnd, fault } = records.scan(start, end - ((end - start) % size), 0x7fff_ffff)
      if (recordEnd === 0) return noRows(start, fault)
      const bytes = memory.subarray(start, recordEnd)
      const text = decode(bytes, dialect.encoding)
      if (text === undefined) return rowsBeforeInvalid(scanner, bytes, start, dialect)
      const { stop, ...found } = scanTextRows(text, marks, columns, tables)
      return {
        ...found,
        text: text.slice(0, stop),
        stop: start + bytesOfUnits(bytes, stop, dialect.encoding),
        fault: found.fault ?? fault,
      }
    },
  }
  return scanner
}

function noRows(stop: number, fault: ScannedRows['fault']): ScannedRows {
  return { rows: 0, text: '', mixed: false, apart: '', stop, fault }
}
