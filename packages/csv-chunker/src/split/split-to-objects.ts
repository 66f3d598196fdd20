import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, write } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { openCsv } from '../open/open-csv.ts'
import type { ByteSource } from '../source/byte-source.ts'
import { cutChunks } from './cut-chunks.ts'
import type { Chunk, Manifest } from './manifest.ts'
import { type SplitOptions, toCutOptions, toManifest } from './split.ts'

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
export interface ChunkObject extends Chunk {
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
  const { id, concurrency = 4, digest = 'sha-256', signal } = options
  const opened = await openCsv(source, options)
  const chunks: ChunkObject[] = []
  const running = new Set<Promise<unknown>>()
  let failure: { readonly error: unknown } | undefined
  /** Memory of chunks that are stored, for the next ones. */
  const spare: Buffer<ArrayBuffer>[] = []
  let body = createBody(opened.headerRaw)
  try {
    const cutOptions = toCutOptions(opened, { maxChunkBytes: 8 * 1024 * 1024, ...options })
    const cut = await cutChunks(opened.reader, cutOptions, {
      write: bytes => body.append(bytes),
      async end(chunk) {
        const key = chunkKey(id, chunk.index)
        const bytes = body.bytes()
        body = createBody(opened.headerRaw, spare.pop() ?? Buffer.allocUnsafeSlow(bytes.buffer.byteLength))
        const content = bytes.subarray(opened.headerRaw.length)
        const sha256 = digest === 'sha-256' ? createHash('sha256').update(content).digest('hex') : undefined
        chunks.push({ ...chunk, key, ...(sha256 && { sha256 }) })
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
    return { ...toManifest(opened, chunks, cut), chunks }
  } finally {
    await Promise.all(running)
    await opened.reader.close()
  }
}

/** `chunks/{id}/chunk_000.csv` */
export function chunkKey(id: string, index: number): string {
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

const writeAt = promisify(write)

/** Writes objects as files below a directory. */
export function createDirectoryWriter(directory: string): ObjectWriter {
  const made = new Set<string>()
  return {
    async put(key, body) {
      const path = join(directory, key)
      const parent = dirname(path)
      if (!made.has(parent)) mkdirSync(parent, { recursive: true })
      made.add(parent)
      // Opening and closing take less time here than a way to another thread and back.
      const file = openSync(path, 'w')
      try {
        for (let at = 0; at < body.length; ) {
          at += (await writeAt(file, body, at, body.length - at)).bytesWritten
        }
      } finally {
        closeSync(file)
      }
    },
  }
}
