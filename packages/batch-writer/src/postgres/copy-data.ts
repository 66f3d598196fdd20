import { RefusedBatchError } from '../row-sink.ts'
import { ByteWriter } from './byte-writer.ts'
import { unwritable } from './codecs.ts'
import type { SpareBuffers } from './spare-buffers.ts'
import type { Column } from './table.ts'
import { toText } from './text-form.ts'

type Fields = Readonly<Record<string, unknown>>

export type CopyFormat = 'binary' | 'text'

/** The rows of one COPY as the messages that follow the command. */
export interface CopyStream {
  readonly format: CopyFormat
  /** Encodes as it goes; ends with CopyDone, or with CopyFail after a value that cannot be sent. Never throws. */
  messages(): Generator<Buffer>
  /** After `messages()`: a value had no binary form, so the batch must be sent as text. */
  isUnfit(): boolean
  /** After `messages()`: why the rows cannot be sent at all, a `RefusedBatchError` if it is one row's fault. */
  failure(): unknown
  /** The server has taken the messages in: their memory is for the next ones. */
  recycle(): void
}

export interface CopyEncoder {
  /** Binary if the first rows have a binary form and text is not asked for. */
  open(rows: readonly object[], format?: CopyFormat | 'auto'): CopyStream
}

export function copySql(target: string, columns: string, format: CopyFormat): string {
  return `COPY ${target} (${columns}) FROM STDIN (FORMAT ${format})`
}

const copyData = 0x64
const copyDone = Buffer.from([0x63, 0, 0, 0, 4])
const copyFail = Buffer.from([0x66, 0, 0, 0, 5, 0])
const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const trailer = Buffer.from([copyData, 0, 0, 0, 6, 0xff, 0xff])
const nullLength = -1
/** Rows per message: the server works on one while the next is being encoded. */
const rowsPerPiece = 500

export function createCopyEncoder(
  columns: readonly Column[],
  spare: SpareBuffers,
  allowed: CopyFormat | 'auto' = 'auto',
): CopyEncoder {
  const mayBeBinary = allowed !== 'text' && columns.every(column => column.binary !== undefined)
  let expectedBytes = 256

  return {
    open(given, format = 'auto') {
      const rows = given as readonly Fields[]
      const used: Buffer[] = []
      function encodePiece(start: number): Buffer | undefined {
        const out = new ByteWriter(spare.take(expectedBytes))
        if (!encodeBinary(out, rows, columns, start)) return undefined
        // The next piece is about as long as the last one.
        expectedBytes = out.length + 64
        const bytes = out.done()
        used.push(bytes)
        return bytes
      }
      const first = mayBeBinary && format !== 'text' ? encodePiece(0) : undefined
      let unfit = false
      let failure: unknown

      function* binary(head: Buffer): Generator<Buffer> {
        yield head
        for (let start = rowsPerPiece; start < rows.length; start += rowsPerPiece) {
          const bytes = encodePiece(start)
          if (!bytes) {
            unfit = true
            yield copyFail
            return
          }
          yield bytes
        }
        yield trailer
        yield copyDone
      }
      function* text(): Generator<Buffer> {
        for (let start = 0; start < rows.length; start += rowsPerPiece) {
          const piece = rows.slice(start, start + rowsPerPiece)
          const lines = encodeText(piece, columns)
          const refusal = findUnwritable(lines, piece, columns, start)
          if (refusal) throw refusal
          yield toCopyData(lines)
        }
        yield copyDone
      }
      /** The server waits for the end of a COPY, also where a row's own code throws. */
      function* messages(): Generator<Buffer> {
        try {
          yield* first ? binary(first) : text()
        } catch (error) {
          failure = error
          yield copyFail
        }
      }
      return {
        format: first ? 'binary' : 'text',
        messages,
        isUnfit: () => unfit,
        failure: () => failure,
        recycle() {
          for (const bytes of used.splice(0)) spare.give(bytes)
        },
      }
    },
  }
}

/** A message of the rows from `start` on; false if a value has no binary form. */
function encodeBinary(
  out: ByteWriter,
  rows: readonly Fields[],
  columns: readonly Column[],
  start: number,
): boolean {
  out.int8(copyData)
  out.int32(0)
  if (start === 0) {
    out.bytes(signature)
    out.int32(0)
    out.int32(0)
  }
  const end = Math.min(rows.length, start + rowsPerPiece)
  for (let index = start; index < end; index += 1) {
    const row = rows[index] as Fields
    out.int16(columns.length)
    for (const { name, binary } of columns) {
      const value = row[name]
      if (value === null || value === undefined) out.int32(nullLength)
      else if (!binary?.(out, value)) return false
    }
  }
  out.int32At(1, out.length - 1)
  return true
}

function encodeText(rows: readonly Fields[], columns: readonly Column[]): string {
  let text = ''
  for (const row of rows) {
    for (let i = 0; i < columns.length; i += 1) {
      const column = columns[i] as Column
      const value = toText(row[column.name], column)
      if (i > 0) text += '\t'
      text += value === null ? '\\N' : escapeText(value)
    }
    text += '\n'
  }
  return text
}

function toCopyData(text: string): Buffer {
  const out = new ByteWriter(Buffer.allocUnsafeSlow(16 + text.length))
  out.int8(copyData)
  out.int32(0)
  out.utf8(text)
  out.int32At(1, out.length - 1)
  return out.done()
}

const special = /[\\\t\n\r]/
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function escapeText(value: string): string {
  return special.test(value) ? value.replaceAll(/[\\\t\n\r]/g, char => escapes[char] as string) : value
}

/**
 * The row whose text holds half a surrogate pair, which would be stored as U+FFFD without a word, or whose value has
 * no text.
 */
export function findUnwritable(
  text: string,
  rows: readonly object[],
  columns: readonly Column[],
  offset = 0,
): RefusedBatchError | undefined {
  if (text.isWellFormed()) return undefined
  for (const [index, row] of (rows as readonly Fields[]).entries()) {
    for (const column of columns) {
      const value = row[column.name]
      const written = toText(value, column)
      if (written === null || written.isWellFormed()) continue
      const isHalf = written !== unwritable || value === unwritable
      return new RefusedBatchError({
        reason: isHalf
          ? `the text for column "${column.name}" holds half a surrogate pair, which has no UTF-8`
          : 'the value cannot be written as JSON',
        sqlState: isHalf ? '22021' : '22P02',
        column: column.name,
        suspect: offset + index,
      })
    }
  }
  return undefined
}
