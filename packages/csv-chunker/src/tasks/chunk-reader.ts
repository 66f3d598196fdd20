import { assertCsvOptions } from '../options.ts'
import { type ReadChunkOptions, type RowBatch, readChunk } from '../read/read-rows.ts'
import { createObjectSource, type ObjectReader } from '../source/object-source.ts'
import type { CsvFile } from '../split/csv-file.ts'
import type { CsvChunk } from '../split/manifest.ts'
import { type FileError, toFileError } from './file-error.ts'

/** A chunk of a file, with all that is needed to read it. */
export interface CsvChunkEntry {
  readonly file: CsvFile
  readonly chunk: CsvChunk
}

/** Reads the rows of a chunk out of the very version of the file that was split. */
export type ChunkReader = (
  entry: CsvChunkEntry,
  options?: { readonly signal?: AbortSignal | undefined },
) => AsyncIterable<RowBatch>

export interface ChunkReaderOptions extends Omit<ReadChunkOptions, 'signal' | 'rowsAs'> {
  /** The store of a bucket; a file that names none gives undefined. */
  readonly storeOf: (bucket: string | undefined) => ObjectReader
  /** Reports a file that is missing or was replaced as this. @default as the store does */
  readonly fileError?: FileError
}

/** The port `readChunk` of whoever writes chunks. */
export function createChunkReader(options: ChunkReaderOptions): ChunkReader {
  assertCsvOptions('createChunkReader', options)
  const { storeOf, fileError, ...reading } = options
  return async function* ({ file, chunk }, { signal } = {}) {
    const { bucket, key, source } = file
    try {
      yield* readChunk(createObjectSource(storeOf(bucket), key, source), file, chunk, { ...reading, signal })
    } catch (error) {
      throw fileError === undefined ? error : toFileError(error, key, fileError)
    }
  }
}
