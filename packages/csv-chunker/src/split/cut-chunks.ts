import { cutCharacter, toCsvError, toProblemError } from '../csv-problem.ts'
import { cr, type Dialect, marksOf, toUnit, unitBytes } from '../dialect/dialect.ts'
import { skipEmptyLines } from '../scan/empty-lines.ts'
import { measureRecord } from '../scan/record-bytes.ts'
import { explainRecord } from '../scan/record-problem.ts'
import { margin, type RecordScan } from '../scan/record-scanner.ts'
import { createScanner } from '../scan/scanner.ts'
import { createBreather } from '../source/breather.ts'
import { type ByteReader, readFully } from '../source/byte-source.ts'
import type { ChunkOptions } from './chunk-options.ts'
import type { CsvChunk } from './manifest.ts'
import { tooManyChunks, tooManyRows } from './too-many-rows.ts'

export interface CutOptions extends Required<ChunkOptions> {
  readonly dialect: Dialect
  readonly columns: readonly string[]
  /** Whether errors show text as it is. */
  readonly showText: boolean
  /** Where the reader starts in the file: the first data row. */
  readonly byteOffset: number
  readonly maxRows: number
  readonly maxRowBytes: number
  readonly simd: boolean
  /** Bytes of one read. */
  readonly blockBytes: number
  readonly signal: AbortSignal | undefined
}

/** Takes the chunks as they are cut. */
export interface ChunkSink {
  /** The next bytes of the current chunk; they are overwritten once this has settled. */
  write?(bytes: Buffer): void | Promise<void>
  end(chunk: Omit<CsvChunk, 'crc32' | 'sha256'>): void | Promise<void>
}

/** Cuts a file into chunks of whole records, reading it once. Gives the number of rows and the file's size. */
export async function cutChunks(
  reader: ByteReader,
  options: CutOptions,
  sink: ChunkSink,
): Promise<{ rowCount: number; size: number }> {
  const { dialect, byteOffset, rowsPerChunk, maxChunks, maxRows, maxRowBytes, simd } = options
  // Whole code units, or a limit inside one could never be reached.
  const size = unitBytes(dialect.encoding)
  const maxChunkBytes = Math.floor(options.maxChunkBytes / size) * size
  const blockBytes = options.blockBytes + (options.blockBytes % size)
  const stride = blockBytes + 2 * margin
  const scanner = createScanner(dialect, 2 * stride, { simd })
  const { memory } = scanner
  const newline = toUnit(marksOf(dialect).newline, dialect.encoding)

  let index = 0
  let chunkStart = byteOffset
  let firstRow = 1
  /** Rows of the chunk that is being filled. */
  let rows = 0
  /** A chunk that is full stays open until another record is seen: empty lines at the file's end are its. */
  let full = false
  /** Where the last record ended, in the file. */
  let recordEnd = byteOffset
  /** Where the record that is being read begins, behind empty lines; a CR there may be the first half of a line end. */
  let lineStart = byteOffset
  let crAtEnd = false
  /** Copies of bytes after `recordEnd` that are no longer in memory. */
  let pending: Buffer[] = []
  /** The block that is scanned: its place in memory and in the file, and what of it was given to the sink. */
  let base = margin
  let blockStart = byteOffset
  let given = base

  scanner.begin(base)
  let inside = false
  let next = readAhead(base)
  const breathe = createBreather(options.signal)
  try {
    for (;;) {
      const length = await next
      const pause = breathe(length)
      if (pause) await pause
      const end = base + length
      const otherBase = base === margin ? margin + stride : margin
      const last = length < blockBytes
      if (!last) next = readAhead(otherBase)
      given = base
      await scanBlock(end - (length % size))
      if (last) {
        await finish(end)
        return { rowCount: firstRow + rows - 1, size: blockStart + length }
      }
      await passOn(recordEnd)
      if (sink.write && given < end) pending.push(Buffer.from(memory.subarray(given, end)))
      passEmptyLines(end)
      blockStart += length
      if (blockStart - lineStart > maxRowBytes) throw rowTooLong(maxRowBytes)
      scanner.follow(otherBase, end)
      base = otherBase
    }
  } finally {
    // A read into memory that is given up must not go on behind our back.
    await next.catch(() => {})
    scanner.release()
  }

  function readAhead(at: number): Promise<number> {
    const read = readFully(reader, memory.subarray(at, at + blockBytes))
    // It is awaited later, maybe after it has failed.
    read.catch(() => {})
    return read
  }

  async function scanBlock(end: number): Promise<void> {
    for (let at = base; at < end; ) {
      const limit = full ? end : Math.min(end, base + (chunkStart + maxChunkBytes - blockStart))
      const scan = scanner.scan(at, limit, full ? 1 : rowsPerChunk - rows)
      if (scan.records > 0) await count(scan.records, blockStart + (scan.recordEnd - base))
      if (scan.fault) throw strayQuote(scan, end)
      inside = scan.inside
      at = scan.stop
      const overdue = !full && blockStart + (at - base) - chunkStart >= maxChunkBytes
      if (overdue && rows === 0) throw rowTooLong(maxChunkBytes)
      if (overdue || rows === rowsPerChunk) full = true
    }
  }

  /** Moves `lineStart` behind the record that ended last, and behind the empty lines of this block after it. */
  function passEmptyLines(end: number): void {
    if (recordEnd > lineStart) [lineStart, crAtEnd] = [recordEnd, false]
    const isLf = memory.subarray(base, base + newline.length).equals(newline)
    if (crAtEnd && isLf && lineStart === blockStart - size) lineStart = blockStart + size
    if (lineStart < blockStart) return
    const at = skipEmptyLines(memory, base + (lineStart - blockStart), end, dialect)
    lineStart = blockStart + (at - base)
    crAtEnd = at === end - size && memory.subarray(at, end).equals(toUnit(cr, dialect.encoding))
  }

  async function count(records: number, end: number): Promise<void> {
    if (full) await close(recordEnd)
    if (end - chunkStart > maxChunkBytes) throw rowTooLong(maxChunkBytes)
    rows += records
    recordEnd = end
    if (firstRow + rows - 1 > maxRows) throw tooManyRows(maxRows)
  }

  /** The last record may lack its newline: scanning one more finds out. */
  async function finish(end: number): Promise<void> {
    const fileSize = blockStart + (end - base)
    if ((end - base) % size !== 0) throw cutCharacter(dialect.encoding, fileSize)
    if (inside) {
      const place = { rowNumber: firstRow + rows, byteOffset: recordEnd }
      throw explain(end) ?? toCsvError('UNCLOSED_QUOTE', 'a quote is opened and never closed', place)
    }
    memory.set(newline, end)
    const scan = scanner.scan(end, end + newline.length, 1)
    if (scan.records > 0) await count(1, fileSize)
    if (rows > 0) await close(fileSize)
  }

  async function close(at: number): Promise<void> {
    if (index === maxChunks) throw tooManyChunks(maxChunks)
    await passOn(at)
    await sink.end({ index, offset: chunkStart, length: at - chunkStart, firstRow, rowCount: rows })
    index += 1
    firstRow += rows
    rows = 0
    chunkStart = at
    full = false
  }

  /** Gives the sink what lies before this position in the file; what is pending lies after `recordEnd`. */
  async function passOn(at: number): Promise<void> {
    if (!sink.write || at < blockStart) return
    for (const bytes of pending) await sink.write(bytes)
    pending = []
    const to = base + (at - blockStart)
    if (to > given) await sink.write(memory.subarray(given, to))
    given = Math.max(given, to)
  }

  function strayQuote(scan: RecordScan, end: number): Error {
    const place = { rowNumber: firstRow + rows, byteOffset: blockStart + (scan.stop - base) }
    return (
      explain(Math.min(end, scan.stop + size)) ??
      toCsvError('STRAY_QUOTE', 'a quote stands inside a field that is not quoted', place)
    )
  }

  /** What is wrong with the record that is not yet counted, and in which column, if all of it is in this block. */
  function explain(end: number): Error | undefined {
    if (recordEnd < blockStart) return undefined
    for (let at = base + (recordEnd - blockStart); at < end; ) {
      const rest = memory.subarray(at, end)
      const bytes = rest.subarray(0, measureRecord(rest, dialect).bytes)
      const place = { rowNumber: firstRow + rows, byteOffset: blockStart + (at - base) }
      const problem = explainRecord(bytes, dialect, options.columns, place, options.showText)
      if (problem) return toProblemError(problem)
      // An empty line.
      at += bytes.length
    }
    return undefined
  }

  function rowTooLong(bytes: number): Error {
    const place = { rowNumber: firstRow + rows, byteOffset: recordEnd }
    return toCsvError('ROW_TOO_LONG', `a row is longer than ${bytes} bytes; is a quote unclosed?`, place)
  }
}
