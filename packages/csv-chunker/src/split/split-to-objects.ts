import { toCsvError } from '../csv-problem.ts'
import { openCsv } from '../open/open-csv.ts'
import { assertCsvOptions } from '../options.ts'
import type { ByteSource } from '../source/byte-source.ts'
import { cutChunks } from './cut-chunks.ts'
import { createDigest } from './digest.ts'
import type { CsvChunk, Manifest } from './manifest.ts'
import { findColumns, toManifest } from './split.ts'
import { type SplitOptions, toCutOptions } from './split-options.ts'

/** What is needed of an object store to write to it. */
export interface ObjectWriter {
  /** The body is overwritten once this has settled. */
  put(
    key: string,
    body: Uint8Array,
    options?: { contentType?: string | undefined; signal?: AbortSignal | undefined },
  ): Promise<unknown>
}

export interface SplitToObjectsOptions extends SplitOptions {
  /** Names the chunks: `chunks/{id}/chunk_000.csv`. */
  readonly id: string
  /** A chunk is held in memory until it is stored. @default 8 MiB */
  readonly maxChunkBytes?: number
  /** Chunks that are stored at the same time. @default 4 */
  readonly concurrency?: number
}

/** A chunk that is an object of its own, a CSV with the header of the file. */
export interface ChunkObject extends CsvChunk {
  readonly key: string
}

export interface ObjectManifest extends Manifest {
  readonly chunks: readonly ChunkObject[]
}

/** Splits a file, compressed or not, into one object a chunk; each begins with the file's header, byte by byte. */
export async function splitToObjects(
  source: ByteSource,
  target: ObjectWriter,
  options: SplitToObjectsOptions,
): Promise<ObjectManifest> {
  assertCsvOptions('splitToObjects', options)
  const { id, concurrency = 4, signal } = options
  const opened = await openCsv(source, { ...options, readsHere: true })
  const chunks: ChunkObject[] = []
  const running = new Set<Promise<unknown>>()
  let failure: { readonly error: unknown } | undefined
  /** Memory of chunks that are stored, for the next ones. */
  const spare: Buffer<ArrayBuffer>[] = []
  let body = createBody(opened.headerRaw)
  try {
    if (opened.dialect.encoding === 'ISO-2022-JP') {
      const message =
        'ISO-2022-JP cannot be cut into objects: save it as CSV UTF-8, or split it into byte ranges'
      throw toCsvError('UNSUPPORTED_ENCODING', message)
    }
    const columnOf = findColumns(opened, options)
    const cutOptions = toCutOptions(opened, { maxChunkBytes: 8 * 1024 * 1024, ...options })
    const cut = await cutChunks(opened.reader, cutOptions, {
      write: bytes => body.append(bytes),
      async end(chunk) {
        const key = chunkKey(id, chunk.index)
        const bytes = body.bytes()
        body = createBody(opened.headerRaw, spare.pop() ?? Buffer.allocUnsafeSlow(bytes.buffer.byteLength))
        const content = bytes.subarray(opened.headerRaw.length)
        const digest = createDigest(cutOptions.digest)
        digest.update(content)
        chunks.push({ ...chunk, key, ...digest.result() })
        const storing = target
          .put(key, bytes, { contentType: 'text/csv', signal })
          .then(
            () => spare.push(Buffer.from(bytes.buffer)),
            error => {
              failure ??= { error }
            },
          )
          .finally(() => running.delete(storing))
        running.add(storing)
        if (running.size >= concurrency) await Promise.race(running)
        if (failure) throw failure.error
      },
    })
    await Promise.all(running)
    if (failure) throw (failure as { error: unknown }).error
    return { ...toManifest(opened, chunks, cut, columnOf), chunks }
  } finally {
    await Promise.all(running)
    await opened.reader.close()
  }
}

/** `chunks/{id}/chunk_000.csv` */
function chunkKey(id: string, index: number): string {
  return `chunks/${id}/chunk_${String(index).padStart(3, '0')}.csv`
}

/** Bytes that begin with the header, in memory that grows where the given one is too small. */
function createBody(
  header: Buffer,
  buffer: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(64 * 1024),
): { append(bytes: Buffer): void; bytes(): Buffer<ArrayBuffer> } {
  let length = 0
  const append = (bytes: Buffer): void => {
    if (length + bytes.length > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * buffer.length, length + bytes.length))
      buffer.copy(larger, 0, 0, length)
      buffer = larger
    }
    length += bytes.copy(buffer, length)
  }
  append(header)
  return { append, bytes: () => buffer.subarray(0, length) }
}
