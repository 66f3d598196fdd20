import { type ByteReader, type ByteSource, readFully } from './byte-source.ts'
import { toCsvError } from './csv-problem.ts'
import { type Compression, createDecompressedSource, detectCompression } from './decompress.ts'
import type { DialectOverrides } from './detect.ts'
import { type CsvLimits, defaultLimits } from './limits.ts'
import { readStart, type SourceStart } from './source-start.ts'

export interface OpenCsvOptions {
  /** What is known of the dialect; the rest is detected. The header is assumed unless it is denied. */
  readonly dialect?: DialectOverrides
  readonly limits?: CsvLimits
  readonly signal?: AbortSignal | undefined
  /** Off for the plain scanner. @default true */
  readonly simd?: boolean
  /** Whether errors show text as it is instead of its shape. @default false */
  readonly showText?: boolean
}

export interface OpenedCsv extends SourceStart {
  readonly compression: Compression | undefined
  /** Of the source as it is stored. */
  readonly size: number | undefined
  readonly etag: string | undefined
}

const tailBytes = 16 * 1024

/** Opens a source at its first data row: decompressed, its dialect detected, its header read. */
export async function openCsv(source: ByteSource, options: OpenCsvOptions = {}): Promise<OpenedCsv> {
  const { dialect: overrides = {}, limits: given = {}, signal, showText = false } = options
  const limits = { ...defaultLimits, ...given }
  const { size, etag } = await source.facts(signal)
  if (size !== undefined && size > limits.maxFileBytes) {
    throw toCsvError('FILE_TOO_LARGE', `the file has ${size} bytes, more than ${limits.maxFileBytes}`)
  }
  const compression = await detectCompression(source, signal)
  const content = compression ? createDecompressedSource(source, compression, limits) : source
  const tail =
    compression || size === undefined || overrides.encoding || size < 5 * tailBytes
      ? undefined
      : await readTail(source, size - tailBytes, etag, signal)
  const reader = await content.open({ etag, signal })
  try {
    const start = await readStart(reader, { overrides, tail, showText, ...limits })
    return { ...start, compression, size, etag }
  } catch (error) {
    await reader.close()
    throw error
  }
}

async function readTail(
  source: ByteSource,
  offset: number,
  etag: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const reader: ByteReader = await source.open({ offset, length: tailBytes, etag, signal })
  try {
    const tail = Buffer.alloc(tailBytes)
    return tail.subarray(0, await readFully(reader, tail))
  } finally {
    await reader.close()
  }
}
