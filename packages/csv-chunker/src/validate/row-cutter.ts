import { toCsvError } from '../csv-problem.ts'
import { type Dialect, marksOf } from '../dialect/dialect.ts'
import { bytesOfUnits } from '../dialect/text-encoding.ts'
import type { RowWindow } from '../read/row-windows.ts'
import { offset } from '../scan/scanned-fields.ts'
import type { ChunkOptions } from '../split/chunk-options.ts'
import { createDigest } from '../split/digest.ts'
import type { CsvChunk } from '../split/manifest.ts'
import { tooManyChunks } from '../split/too-many-rows.ts'

export interface RowCutterOptions extends Required<ChunkOptions> {
  readonly dialect: Dialect
  readonly columns: readonly string[]
  /** Where the first window starts in the file. */
  readonly byteOffset: number
}

/** Cuts a file whose rows are read anyway, into the very chunks that `cutChunks` gives. */
export interface RowCutter {
  /** The next rows. `fileEnd` is where the bytes that were read so far end. */
  take(window: RowWindow, fileEnd: number): void
  /** The chunks, at the end of the file. */
  end(fileEnd: number): { readonly chunks: readonly CsvChunk[]; readonly rowCount: number }
}

export function createRowCutter(options: RowCutterOptions): RowCutter {
  const { dialect, columns, byteOffset, rowsPerChunk, maxChunkBytes, maxChunks } = options
  const stride = columns.length + 1
  const newline = String.fromCharCode(marksOf(dialect).newline)
  const chunks: CsvChunk[] = []
  let chunkStart = byteOffset
  let firstRow = 1
  let rows = 0
  /** Where the last row ended in the file, its line end included. */
  let recordEnd = byteOffset
  /** Of the chunk's bytes up to `seen`. */
  let digest = createDigest(options.digest)
  /** Up to where bytes were digested. */
  let seen = byteOffset
  /** Empty lines behind the last row: whether they are this chunk's or the next one's is not known yet. */
  let gap: { readonly before: typeof digest; readonly after: typeof digest } | undefined

  return {
    take(window, fileEnd) {
      const bytes = window.bytes.subarray(0, fileEnd - window.byteOffset)
      const rowEnd = createRowEnds(window)
      const digestTo = (to: number): void => {
        if (to > seen) digest.update(bytes.subarray(seen - window.byteOffset, to - window.byteOffset))
        seen = to
      }
      for (let row = 0; row < window.rows; ) {
        if (rows === rowsPerChunk) close(recordEnd)
        const wanted = Math.min(window.rows - row, rowsPerChunk - rows)
        const fitting = fit(row, wanted, rowEnd)
        if (fitting === 0) {
          if (rows === 0) throw rowTooLong()
          close(recordEnd)
          continue
        }
        gap = undefined
        row += fitting
        rows += fitting
        recordEnd = Math.min(rowEnd(row - 1), fileEnd)
        digestTo(recordEnd)
      }
      const end = window.byteOffset + bytes.length
      if (end === recordEnd) return
      gap ??= { before: digest.copy(), after: createDigest(options.digest) }
      gap.after.update(bytes.subarray(Math.max(seen, window.byteOffset) - window.byteOffset))
      digestTo(end)
    },
    end(fileEnd) {
      gap = undefined
      if (rows > 0) close(fileEnd)
      return { chunks, rowCount: firstRow - 1 }
    },
  }

  /** How many of these rows still fit into the chunk. */
  function fit(row: number, wanted: number, rowEnd: (row: number) => number): number {
    let fitting = wanted
    while (fitting > 0 && rowEnd(row + fitting - 1) - chunkStart > maxChunkBytes) {
      fitting = fitting > 1 ? Math.floor(fitting / 2) : 0
    }
    return fitting
  }

  function close(at: number): void {
    if (chunks.length === maxChunks) throw tooManyChunks(maxChunks)
    const { before, after } = gap ?? { before: digest, after: createDigest(options.digest) }
    chunks.push({
      index: chunks.length,
      offset: chunkStart,
      length: at - chunkStart,
      firstRow,
      rowCount: rows,
      ...before.result(),
    })
    digest = after
    gap = undefined
    firstRow += rows
    rows = 0
    chunkStart = at
  }

  /** Where each row ends in the file, with the line end that the last may lack. Positions are found in ascending order, from the one before. */
  function createRowEnds({ text, offsets, bytes, byteOffset: start, textEncoding }: RowWindow) {
    const narrow = text.length === bytes.length
    let known = { unit: 0, byte: 0 }
    return (row: number): number => {
      const lastField = (offsets[row * stride + columns.length] as number) & offset
      const unit = text.indexOf(newline, lastField) + 1
      if (narrow) return start + unit
      if (unit < known.unit) known = { unit: 0, byte: 0 }
      const further = bytesOfUnits(bytes.subarray(known.byte), unit - known.unit, textEncoding)
      known = { unit, byte: known.byte + further }
      return start + known.byte
    }
  }

  function rowTooLong(): Error {
    const place = { rowNumber: firstRow + rows, byteOffset: recordEnd }
    return toCsvError('ROW_TOO_LONG', `a row is longer than ${maxChunkBytes} bytes`, place)
  }
}
