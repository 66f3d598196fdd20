import { createHash, type Hash } from 'node:crypto'
import { toCsvError } from '../csv-problem.ts'
import { defaultLimits } from '../limits.ts'
import { type OpenCsvOptions, type OpenedCsv, openCsv } from '../open/open-csv.ts'
import type { ByteSource } from '../source/byte-source.ts'
import { cutChunks } from './cut-chunks.ts'
import type { Chunk, Manifest } from './manifest.ts'

export interface SplitOptions extends OpenCsvOptions {
  /** @default 5,000 */
  readonly rowsPerChunk?: number
  /** A chunk ends before it would have more bytes. @default 64 MiB */
  readonly maxChunkBytes?: number
  /** Leave out where the source's ETag is guard enough: hashing is slower than scanning. @default 'sha-256' */
  readonly digest?: 'sha-256' | 'none'
  /** Bytes of one read. @default 3 MiB */
  readonly blockBytes?: number
}

const defaultBlockBytes = 3 * 1024 * 1024

/** Splits a file into byte ranges of whole records, reading it once. Nothing is written. */
export async function splitToManifest(source: ByteSource, options: SplitOptions = {}): Promise<Manifest> {
  const opened = await openCsv(source, options)
  const chunks: Chunk[] = []
  const { digest = 'sha-256' } = options
  let hash: Hash | undefined
  try {
    if (opened.compression) {
      throw toCsvError('COMPRESSED_SOURCE', 'compressed data has no byte ranges: split it into chunk objects')
    }
    const cut = await cutChunks(opened.reader, toCutOptions(opened, options), {
      ...(digest === 'sha-256' && {
        write(bytes: Buffer) {
          hash ??= createHash('sha256')
          hash.update(bytes)
        },
      }),
      end(chunk) {
        chunks.push(hash ? { ...chunk, sha256: hash.digest('hex') } : chunk)
        hash = undefined
      },
    })
    return toManifest(opened, chunks, cut)
  } finally {
    await opened.reader.close()
  }
}

export function toManifest(
  { dialect, columns, headerBytes, etag }: OpenedCsv,
  chunks: readonly Chunk[],
  { rowCount, size }: { rowCount: number; size: number },
): Manifest {
  return {
    version: 1,
    source: { size, etag },
    dialect,
    columns,
    headerBytes: chunks.length === 0 ? size : headerBytes,
    rowCount,
    chunks,
  }
}

export function toCutOptions(opened: OpenedCsv, options: SplitOptions): Parameters<typeof cutChunks>[1] {
  const { rowsPerChunk = 5000, maxChunkBytes = 64 * 1024 * 1024, limits = {}, simd = true } = options
  const {
    blockBytes = Math.min(
      defaultBlockBytes,
      (opened.compression ? undefined : opened.size) ?? defaultBlockBytes,
    ),
  } = options
  if (!Number.isInteger(rowsPerChunk) || rowsPerChunk < 1) {
    throw new RangeError(`rowsPerChunk ${rowsPerChunk} is not a whole number above 0`)
  }
  if (!(maxChunkBytes >= 1)) throw new RangeError(`maxChunkBytes ${maxChunkBytes} is not above 0`)
  return {
    dialect: opened.dialect,
    columns: opened.columns,
    showText: options.showText ?? false,
    byteOffset: opened.headerBytes,
    rowsPerChunk,
    maxChunkBytes,
    maxRowBytes: limits.maxRowBytes ?? defaultLimits.maxRowBytes,
    simd,
    blockBytes,
  }
}
