import type { CsvLimits } from '../limits.ts'
import { type ByteReader, type ByteSource, type OpenOptions, prepend, readFully } from './byte-source.ts'
import { type Compression, compressionOf, createDecompressedReader } from './decompress.ts'

export interface Content {
  readonly reader: ByteReader
  readonly compression: Compression | undefined
}

/** What is read of a source's start to tell what it is. */
export const sampleBytes: number = 64 * 1024

/** Opens a source at its start, decompressed if its first bytes say so. */
export async function openContent(
  source: ByteSource,
  limits: Required<CsvLimits>,
  options: Pick<OpenOptions, 'etag' | 'readsHere' | 'signal'>,
): Promise<Content> {
  const reader = await source.open(options)
  try {
    const sample = Buffer.allocUnsafeSlow(sampleBytes)
    const head = sample.subarray(0, await readFully(reader, sample))
    const compression = compressionOf(head)
    const whole = prepend(head, reader)
    if (!compression) return { reader: whole, compression }
    return { reader: createDecompressedReader(whole, compression, limits, options.signal), compression }
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
