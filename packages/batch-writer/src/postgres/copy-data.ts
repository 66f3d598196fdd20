import { RefusedBatchError } from '../row-sink.ts'
import { ByteWriter } from './byte-writer.ts'
import type { Column } from './table.ts'
import { toText } from './text-form.ts'

type Fields = Readonly<Record<string, unknown>>

export type CopyFormat = 'binary' | 'text'

/** Rows as the messages that follow a COPY command: one CopyData and a CopyDone. */
export interface CopyData {
  readonly format: CopyFormat
  readonly bytes: Buffer
}

const COPY_DATA = 0x64
const COPY_DONE = 0x63
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const NULL_LENGTH = -1

/** Encodes rows for COPY: binary where every value has a binary form, text otherwise. */
export function createCopyEncoder(
  columns: readonly Column[],
  format: CopyFormat | 'auto' = 'auto',
): (rows: readonly object[]) => CopyData {
  const binary = format !== 'text' && columns.every(column => column.binary !== undefined)
  let bytesPerRow = 64

  return given => {
    const rows = given as readonly Fields[]
    // The next batch is about as long as the last one.
    const bytes = binary ? encodeBinary(rows, columns, bytesPerRow * rows.length) : undefined
    if (bytes === undefined) return { format: 'text', bytes: encodeText(rows, columns) }
    bytesPerRow = Math.ceil(bytes.length / rows.length) + 2
    return { format: 'binary', bytes }
  }
}

function encodeBinary(
  rows: readonly Fields[],
  columns: readonly Column[],
  expectedBytes: number,
): Buffer | undefined {
  const out = new ByteWriter(256 + expectedBytes)
  out.int8(COPY_DATA)
  out.int32(0)
  out.bytes(SIGNATURE)
  out.int32(0)
  out.int32(0)
  for (const row of rows) {
    out.int16(columns.length)
    for (const { name, binary } of columns) {
      const value = row[name]
      if (value === null || value === undefined) out.int32(NULL_LENGTH)
      else if (!binary?.(out, value)) return undefined
    }
  }
  out.int16(-1)
  return finish(out)
}

function encodeText(rows: readonly Fields[], columns: readonly Column[]): Buffer {
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
  assertWellFormed(text, rows, columns)
  const out = new ByteWriter(16 + Math.ceil(text.length * 1.1))
  out.int8(COPY_DATA)
  out.int32(0)
  out.utf8(text)
  return finish(out)
}

function finish(out: ByteWriter): Buffer {
  out.int32At(1, out.length - 1)
  out.int8(COPY_DONE)
  out.int32(4)
  return out.done()
}

const SPECIAL = /[\\\t\n\r]/
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function escapeText(value: string): string {
  return SPECIAL.test(value) ? value.replaceAll(/[\\\t\n\r]/g, char => ESCAPES[char] as string) : value
}

/** Half a surrogate pair would be stored as U+FFFD without a word. */
export function assertWellFormed(text: string, rows: readonly object[], columns: readonly Column[]): void {
  if (text.isWellFormed()) return
  for (const [suspect, row] of (rows as readonly Fields[]).entries()) {
    for (const column of columns) {
      if (toText(row[column.name], column)?.isWellFormed() === false) {
        throw new RefusedBatchError({
          reason: `the text for column "${column.name}" holds half a surrogate pair, which has no UTF-8`,
          sqlState: '22021',
          column: column.name,
          suspect,
        })
      }
    }
  }
}
