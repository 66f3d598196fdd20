import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ByteSource } from './byte-source.ts'
import { cutChunks } from './cut-chunks.ts'
import type { Chunk, Manifest } from './manifest.ts'
import { openCsv } from './open-csv.ts'
import { type SplitOptions, toCutOptions, toManifest } from './split.ts'

/** What is needed of an object store to write to it. */
export interface ObjectWriter {
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
  let body = createBody(opened.headerRaw, 0)
  try {
    const cutOptions = toCutOptions(opened, { maxChunkBytes: 8 * 1024 * 1024, ...options })
    const cut = await cutChunks(opened.reader, cutOptions, {
      write: bytes => body.append(bytes),
      async end(chunk) {
        const key = chunkKey(id, chunk.index)
        const bytes = body.bytes()
        body = createBody(opened.headerRaw, bytes.length)
        const content = bytes.subarray(opened.headerRaw.length)
        const sha256 = digest === 'sha-256' ? createHash('sha256').update(content).digest('hex') : undefined
        chunks.push({ ...chunk, key, ...(sha256 && { sha256 }) })
        const storing = target
          .put(key, bytes, { contentType: 'text/csv', signal })
          .catch(error => {
            failure ??= { error }
          })
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

/** A buffer that begins with the header and grows; the last chunk's length says how large to begin. */
function createBody(header: Buffer, expected: number): { append(bytes: Buffer): void; bytes(): Buffer } {
  let buffer = Buffer.allocUnsafeSlow(Math.max(64 * 1024, Math.ceil(expected * 1.1)))
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

/** Writes objects as files below a directory. */
export function createDirectoryWriter(directory: string): ObjectWriter {
  const made = new Set<string>()
  return {
    async put(key, body) {
      const path = join(directory, key)
      const parent = dirname(path)
      if (!made.has(parent)) await mkdir(parent, { recursive: true })
      made.add(parent)
      await writeFile(path, body)
    },
  }
}
