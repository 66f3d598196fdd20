import { isUtf8 } from 'node:buffer'
import { type Dialect, marksOf, unitBytes } from '../dialect/dialect.ts'
import { bytesOfUnits, decode } from '../dialect/text-encoding.ts'
import { type Fault, margin } from './record-scanner.ts'
import { createScanner, type ScannerOptions } from './scanner.ts'
import { acquireScanner, releaseScanner } from './scanner-exports.ts'
import { faults, setMarks } from './simd-scanner.ts'
import { scanTextRows } from './text-rows.ts'

/** The rows of a stretch of bytes: their text and where each field ends in it. */
export interface ScannedRows {
  readonly rows: number
  readonly text: string
  /** The byte position after the last row. */
  readonly stop: number
  readonly quoted: boolean
  readonly fault: Fault | 'INVALID_BYTES' | undefined
}

export interface RowScanner {
  /** Data is read straight into it, from `dataStart` on. */
  readonly memory: Buffer
  readonly dataStart: number
  /** For every row its start, then the end of each field. Valid until the next scan. */
  readonly offsets: Int32Array
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
  const dataStart = tableBytes + margin
  const exports = fits && options.simd !== false ? acquireScanner(dataStart + dataBytes + margin) : undefined
  if (!exports) return createTextRowScanner(dialect, columns, dataBytes, tableEntries, options)

  const memory = Buffer.from(exports.memory.buffer)
  const offsets = new Int32Array(exports.memory.buffer, 0, tableEntries)
  setMarks(exports, marks)
  return {
    memory,
    dataStart,
    offsets,
    release: () => releaseScanner(exports),
    scan(start, end) {
      memory[start - 1] = marks.newline
      const rows = exports.rows(start, end, 0, tableBytes, columns, wide ? 1 : 0)
      const stop = exports.stop.value
      const fault = faults[exports.fault.value]
      const multibyte = exports.multibyte.value !== 0
      if (multibyte && !isUtf8(memory.subarray(start, stop))) {
        return { rows: 0, text: '', stop: start, quoted: false, fault: 'INVALID_BYTES' }
      }
      const text = memory.toString(multibyte ? 'utf8' : 'latin1', start, stop)
      return { rows, text, stop, quoted: exports.quotes.value > 0, fault }
    },
  }
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
  const offsets = new Int32Array(tableEntries)
  const size = unitBytes(dialect.encoding)
  return {
    memory,
    dataStart: margin,
    offsets,
    release: () => records.release(),
    scan(start, end) {
      records.begin(start)
      const { recordEnd, fault } = records.scan(start, end - ((end - start) % size), 0x7fff_ffff)
      if (recordEnd === 0) return { rows: 0, text: '', stop: start, quoted: false, fault }
      const bytes = memory.subarray(start, recordEnd)
      const text = decode(bytes, dialect.encoding)
      if (text === undefined) return { rows: 0, text: '', stop: start, quoted: false, fault: 'INVALID_BYTES' }
      const found = scanTextRows(text, marks, columns, offsets)
      const stop = start + bytesOfUnits(bytes, found.stop, dialect.encoding)
      const { rows, quoted } = found
      return { rows, text: text.slice(0, found.stop), stop, quoted, fault: found.fault ?? fault }
    },
  }
}
