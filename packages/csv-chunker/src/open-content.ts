import { type ByteReader, type ByteSource, prepend, readFully } from './byte-source.ts'
import { type Compression, compressionOf, createDecompressedReader } from './decompress.ts'
import type { CsvLimits } from './limits.ts'

export interface Content {
  readonly reader: ByteReader
  readonly compression: Compression | undefined
}

/** Opens a source at its start, decompressed if its first bytes say so. */
export async function openContent(
  source: ByteSource,
  limits: Required<CsvLimits>,
  { etag, signal }: { etag: string | undefined; signal: AbortSignal | undefined },
): Promise<Content> {
  const reader = await source.open({ etag, signal })
  try {
    const magic = Buffer.alloc(4)
    const head = magic.subarray(0, await readFully(reader, magic))
    const compression = compressionOf(head)
    const whole = prepend(head, reader)
    if (!compression) return { reader: whole, compression }
    return { reader: createDecompressedReader(whole, compression, limits, signal), compression }
  } catch (error) {
    await reader.close()
    throw error
  }
}

/** Reads up to so many bytes, and closes the reader. */
export async function readPart(reader: ByteReader, bytes: number): Promise<Buffer> {
  try {
    const part = Buffer.alloc(bytes)
    return part.subarray(0, await readFully(reader, part))
  } finally {
    await reader.close()
  }
}
