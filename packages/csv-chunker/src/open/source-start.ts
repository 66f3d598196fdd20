import { isAscii } from 'node:buffer'
import { toCsvError, toProblemError } from '../csv-problem.ts'
import { byBom } from '../dialect/detect-encoding.ts'
import { type Dialect, defaultDialect, type Encoding, marksOf, type Newline } from '../dialect/dialect.ts'
import { decode, withoutEscapes } from '../dialect/text-encoding.ts'
import { skipEmptyLines } from '../scan/empty-lines.ts'
import { isEmptyLine, parseRecord } from '../scan/parse-record.ts'
import { measureRecord } from '../scan/record-bytes.ts'
import { explainRecord } from '../scan/record-problem.ts'
import { createBreather } from '../source/breather.ts'
import { type ByteReader, prepend, readFully } from '../source/byte-source.ts'
import { sampleBytes } from '../source/open-content.ts'
import { createTransform, transformedBy } from '../source/transformed-reader.ts'
import { type Detection, type DialectOverrides, guess } from './detect.ts'
import { refuseDoubledLineEnds, refuseUnreadable } from './refuse-unreadable.ts'

/** A file that was opened: what its start says, and a reader that goes on where the data rows begin. */
export interface SourceStart {
  readonly dialect: Dialect
  readonly columns: readonly string[]
  /** The header, or of a file without one the first row. */
  readonly firstRecord: readonly string[]
  /** Bytes up to the first data row: byte order mark, empty lines, header. */
  readonly headerBytes: number
  /** Those bytes. */
  readonly headerRaw: Buffer
  readonly reader: ByteReader
}

export interface SourceStartOptions {
  readonly overrides: DialectOverrides
  readonly decideHeader: ((firstRecord: readonly string[]) => boolean) | undefined
  /** Reads the end of the file, where the start does not tell the encoding. */
  readonly readTail: () => Promise<Buffer | undefined>
  readonly maxRowBytes: number
  readonly maxColumns: number
  readonly showText: boolean
  readonly signal: AbortSignal | undefined
}

/** Reads the start of a source, once: detects the dialect and takes the header off. */
export async function readStart(given: ByteReader, options: SourceStartOptions): Promise<SourceStart> {
  const { overrides, decideHeader = () => true, readTail, maxRowBytes, maxColumns, showText } = options
  let head: Buffer = Buffer.allocUnsafeSlow(sampleBytes)
  head = head.subarray(0, await readFully(given, head))
  const skipped = await dropEmptyLines()
  const tail = overrides.encoding === undefined && isAscii(head) ? await readTail() : undefined
  let ended = head.length < sampleBytes
  let guessed = guess(head, overrides, tail)
  while (!guessed.lineEndSeen && !ended && head.length <= maxRowBytes) {
    await readMore(given)
    guessed = guess(head, overrides, tail)
  }
  const { detection: detected } = guessed
  refuseUnreadable(head, detected, skipped)
  refuseDoubledLineEnds(detected)
  refuseUnknown(detected)
  const { encoding, bomBytes, delimiter, quote, newline } = detected
  const transform = createTransform(detected)
  transform?.(head)
  const reader = transform ? transformedBy(given, transform) : given
  const form = { encoding, bomBytes, delimiter, quote, newline, header: true }
  const [start, end] = await findRecord()
  const firstRecord = parseHeader(head.subarray(start, end))
  const header = overrides.header ?? decideHeader(firstRecord)
  const dialect: Dialect = { ...form, header }
  const columns = header ? firstRecord : firstRecord.map((_, index) => `column${index + 1}`)
  refuseBadColumns(columns, maxColumns)
  const rows = header ? end : start
  return {
    dialect,
    columns,
    firstRecord,
    headerBytes: skipped + rows,
    headerRaw: header ? head.subarray(0, end) : head.subarray(0, bomBytes),
    reader: prepend(head.subarray(rows), reader),
  }

  /** Takes empty lines before the first record out of the sample and reads on; the number of their bytes. */
  async function dropEmptyLines(): Promise<number> {
    const { encoding, bomBytes } = startOf(head)
    const newlines: readonly Newline[] = overrides.newline ? [overrides.newline] : ['LF', 'CR']
    const known = overrides.encoding ?? encoding
    let dropped = 0
    const breathe = createBreather(options.signal)
    for (;;) {
      const pause = breathe(head.length)
      if (pause) await pause
      let at = bomBytes
      for (const newline of newlines) {
        at = skipEmptyLines(head, at, head.length, { ...defaultDialect, encoding: known, newline })
      }
      if (at === bomBytes) return dropped
      dropped += at - bomBytes
      const next = Buffer.allocUnsafeSlow(sampleBytes)
      let length = head.copy(next, 0, 0, bomBytes)
      length += head.copy(next, length, at)
      if (head.length === sampleBytes) length += await readFully(given, next.subarray(length))
      head = next.subarray(0, length)
    }
  }

  /** The first record; reads on where it is longer than the sample. */
  async function findRecord(): Promise<[number, number]> {
    for (let at = bomBytes; ; ) {
      const record = measureRecord(head.subarray(at), form)
      if (!record.complete && !ended) {
        if (head.length - at > maxRowBytes) {
          throw toCsvError('ROW_TOO_LONG', `the first row is longer than ${maxRowBytes} bytes`, {
            rowNumber: 0,
          })
        }
        await readMore(reader)
        continue
      }
      if (record.bytes === 0) throw toCsvError('EMPTY_FILE', 'the file holds no record')
      if (!isEmpty(head.subarray(at, at + record.bytes))) return [at, at + record.bytes]
      at += record.bytes
    }
  }

  async function readMore(from: ByteReader): Promise<void> {
    const longer = Buffer.allocUnsafeSlow(head.length * 2)
    head.copy(longer)
    const bytes = await readFully(from, longer.subarray(head.length))
    ended = bytes < head.length
    head = longer.subarray(0, head.length + bytes)
  }

  function isEmpty(bytes: Buffer): boolean {
    const text = decode(bytes, encoding)
    return text !== undefined && isEmptyLine(parseRecord(text, 0, marksOf(form)), text, marksOf(form))
  }

  function parseHeader(bytes: Buffer): readonly string[] {
    const text = decode(bytes, encoding)
    const parsed = text === undefined ? [] : parseRecord(text, 0, marksOf(form)).fields
    const fields = encoding === 'ISO-2022-JP' ? parsed.map(withoutEscapes) : parsed
    const place = { rowNumber: (overrides.header ?? true) ? 0 : 1, byteOffset: skipped + start }
    const problem = explainRecord(bytes, form, fields, place, showText)
    if (problem) throw toProblemError(problem)
    return fields
  }
}

/** What the first bytes alone say. */
function startOf(head: Buffer): { readonly encoding: Encoding; readonly bomBytes: number } {
  const marked = byBom(head)
  if (marked) return marked
  if (head[0] === 0 && head[1] !== 0) return { encoding: 'UTF-16BE', bomBytes: 0 }
  return { encoding: head[1] === 0 && head[0] !== 0 ? 'UTF-16LE' : 'UTF-8', bomBytes: 0 }
}

/** A less certain guess of the encoding would silently change what people wrote. */
const minConfidence = 0.55

function refuseUnknown({ encoding, encodingConfidence }: Detection): void {
  if (encodingConfidence >= minConfidence) return
  throw toCsvError(
    'UNKNOWN_ENCODING',
    `the encoding is not certain, maybe ${encoding}: name it, or save the file as CSV UTF-8`,
  )
}

function refuseBadColumns(columns: readonly string[], maxColumns: number): void {
  if (columns.length > maxColumns) {
    throw toCsvError('TOO_MANY_COLUMNS', `${columns.length} columns are more than ${maxColumns}`, {
      rowNumber: 0,
    })
  }
  const seen = new Set<string>()
  for (const column of columns) {
    if (seen.has(column)) {
      throw toCsvError('DUPLICATE_COLUMN', 'two columns have the same name', { rowNumber: 0, column })
    }
    seen.add(column)
  }
}
