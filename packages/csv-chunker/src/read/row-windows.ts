import { type CsvProblem, cutCharacter, toCsvError } from '../csv-problem.ts'
import { type Dialect, type Encoding, marksOf, toUnit, unitBytes } from '../dialect/dialect.ts'
import { bytesOfUnits } from '../dialect/text-encoding.ts'
import { skipEmptyLines } from '../scan/empty-lines.ts'
import { measureRecord } from '../scan/record-bytes.ts'
import { explainRecord } from '../scan/record-problem.ts'
import { margin } from '../scan/record-scanner.ts'
import { createRowScanner, type ScannedRows } from '../scan/row-scanner.ts'
import { type FieldTables, offset, type ScannedFields } from '../scan/scanned-fields.ts'
import { createBreather } from '../source/breather.ts'
import type { ByteReader } from '../source/byte-source.ts'

/** Complete rows of a file, not yet objects, or empty lines. Its memory is used again for the next window. */
export interface RowWindow extends ScannedFields, FieldTables {
  readonly firstRow: number
  /** In which the characters of the text are counted, for `bytesOfUnits`. */
  readonly textEncoding: Encoding
  /** The bytes of the rows, and where they start in the file. */
  readonly bytes: Buffer
  readonly byteOffset: number
}

export interface RowWindowsOptions {
  readonly dialect: Dialect
  readonly columns: readonly string[]
  /** The number of the first row that is read. */
  readonly firstRow: number
  /** Where the reader starts in the file. */
  readonly byteOffset: number
  /** Bytes that the reader gives at most, if that is known: a small chunk needs little memory. */
  readonly size?: number | undefined
  readonly maxRowBytes: number
  readonly simd: boolean
  /** Whether problems show the text as it is. */
  readonly showText: boolean
  readonly signal?: AbortSignal | undefined
  /** Takes what is wrong with a row, which is then left out; throws to stop. */
  readonly onProblem: (problem: CsvProblem) => void
}

/** As two-byte text this is just below 128 KiB, from where on V8 gives strings a space of their own, which is slow. */
const windowBytes = 60 * 1024
/** With twice as much, a process that reads 1 GB has 20 MB more. */
const maxReadBytes = 256 * 1024

export async function* readRowWindows(
  reader: ByteReader,
  options: RowWindowsOptions,
): AsyncGenerator<RowWindow> {
  const { dialect, columns, byteOffset, maxRowBytes, simd, showText, onProblem } = options
  const readBytes = Math.min(maxReadBytes, Math.max(1, options.size ?? maxReadBytes))
  const capacity = Math.min(maxRowBytes, options.size ?? maxRowBytes) + 2 * readBytes
  const scanner = createRowScanner(dialect, columns.length, capacity + margin, { simd })
  const { memory, dataStart, offsets, apartEnds, textEncoding } = scanner
  const dataEnd = dataStart + capacity
  let row = options.firstRow
  let start = dataStart
  let end = dataStart
  let ended = false
  /** The position in the file of the memory's first byte. */
  let origin = byteOffset - dataStart
  /** A read that goes on while rows are scanned: into what lies after `end`. */
  let reading: Promise<number> | undefined

  const breathe = createBreather(options.signal)
  let breathedAt = start

  try {
    for (;;) {
      const pause = breathe(start - breathedAt)
      if (pause) await pause
      breathedAt = start
      const filled = skipEmptyLines(memory, start, end, dialect)
      if (filled > start) {
        yield toWindow({ rows: 0, text: '', mixed: false, apart: '', stop: filled, fault: undefined })
        start = filled
      }
      const { found, windowEnd } = scanWindow()
      if (found.stop > start) yield toWindow(found)
      row += found.rows
      start = found.stop
      if (found.fault === undefined && (found.rows > 0 || windowEnd < end)) continue
      if (found.fault === undefined && !ended) {
        await fillToDouble()
        continue
      }
      if (start === end) return
      const bytes = await takeRecord()
      const single = scanner.scan(start, start + bytes)
      if (single.fault === undefined && single.stop === start + bytes) {
        yield toWindow(single)
        row += single.rows
      } else {
        const place = { rowNumber: row, byteOffset: origin + start }
        const problem = explainRecord(
          memory.subarray(start, start + bytes),
          dialect,
          columns,
          place,
          showText,
        )
        if (problem) {
          onProblem(problem)
          row += 1
        }
      }
      start += bytes
    }
  } finally {
    // The memory is given back: nothing may be read into it any more.
    await reading?.catch(() => {})
    scanner.release()
  }

  /** Scans a window, and a longer one where it holds no complete row. */
  function scanWindow(): { found: ScannedRows; windowEnd: number } {
    for (let length = windowBytes; ; length *= 4) {
      const windowEnd = Math.min(end, start + length)
      const found = scanner.scan(start, windowEnd)
      if (found.stop > start || found.fault !== undefined || windowEnd === end) return { found, windowEnd }
    }
  }

  function toWindow(found: ScannedRows): RowWindow {
    const bytes = memory.subarray(start, found.stop)
    if (found.rows > 0 && bytes.length > maxRowBytes) refuseLongRows(found, bytes)
    const { rows, text, mixed, apart } = found
    const fields = { rows, text, mixed, apart, offsets, apartEnds, textEncoding }
    return { firstRow: row, ...fields, bytes, byteOffset: origin + start }
  }

  /** A row is as long as its fields; empty lines before it are no part of it. */
  function refuseLongRows({ rows }: ScannedRows, bytes: Buffer): void {
    const stride = columns.length + 1
    const placeOf = (unit: number) => bytesOfUnits(bytes, unit, textEncoding)
    for (let index = 0; index < rows; index += 1, row += 1) {
      const from = offsets[index * stride] as number
      const to = (offsets[index * stride + columns.length] as number) & offset
      if (to - from > maxRowBytes / 4 && placeOf(to) - placeOf(from) > maxRowBytes) throw rowTooLong()
    }
    row -= rows
  }

  /** The length of the record at `start`, read to its end. */
  async function takeRecord(): Promise<number> {
    for (;;) {
      const record = measureRecord(memory.subarray(start, end), dialect)
      if (record.complete || ended) return record.bytes
      await fillToDouble()
    }
  }

  /** A row without end in sight is scanned from its start again: twice as many bytes each time, so that it takes linear time. */
  async function fillToDouble(): Promise<void> {
    const wanted = 2 * (end - start)
    do await fill()
    while (!ended && end - start < wanted)
  }

  async function fill(): Promise<void> {
    if (end - start > maxRowBytes) throw rowTooLong()
    reading ??= readMore()
    const bytes = await reading
    end += bytes
    if (end + readBytes > dataEnd) moveToFront()
    reading = bytes > 0 ? readMore() : undefined
    if (bytes > 0) return
    ended = true
    if ((end - start) % unitBytes(dialect.encoding) !== 0) throw cutCharacter(dialect.encoding, origin + end)
    if (end > start) end = terminate(memory, end, dialect)
  }

  function moveToFront(): void {
    if (start === dataStart) return
    memory.copyWithin(dataStart, start, end)
    breathedAt -= start - dataStart
    origin += start - dataStart
    end -= start - dataStart
    start = dataStart
  }

  function readMore(): Promise<number> {
    const more = reader.read(memory.subarray(end, end + readBytes))
    // It is awaited later, maybe after it has failed.
    more.catch(() => {})
    return more
  }

  function rowTooLong(): Error {
    const place = { rowNumber: row, byteOffset: origin + start }
    return toCsvError(
      'ROW_TOO_LONG',
      `a row is longer than ${maxRowBytes} bytes; is a quote unclosed?`,
      place,
    )
  }
}

/** Ends the last line, which may lack its newline. */
function terminate(memory: Buffer, end: number, dialect: Dialect): number {
  const { newline } = marksOf(dialect)
  const unit = toUnit(newline, dialect.encoding)
  if (memory.subarray(end - unit.length, end).equals(unit)) return end
  memory.set(unit, end)
  return end + unit.length
}
