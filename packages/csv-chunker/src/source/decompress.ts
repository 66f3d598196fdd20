import { Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { toCsvError } from '../csv-problem.ts'
import type { CsvLimits } from '../limits.ts'
import { type ByteReader, createIterableReader } from './byte-source.ts'

export type Compression = 'gzip' | 'zstd'

/** What a file's first bytes say. */
export function compressionOf(head: Buffer): Compression | undefined {
  if (head.length < 4) return undefined
  if (head.readUInt16BE(0) === 0x1f8b) return 'gzip'
  return head.readUInt32BE(0) === 0x28b52ffd ? 'zstd' : undefined
}

const ratioGraceBytes = 16 * 1024 * 1024

/** The content of compressed data, decompressed on the fly. */
export function createDecompressedReader(
  compressed: ByteReader,
  compression: Compression,
  { maxDecompressedBytes, maxCompressionRatio }: Required<CsvLimits>,
  signal: AbortSignal | undefined,
): ByteReader {
  let bytesIn = 0
  let bytesOut = 0
  const input = Readable.from(pieces(compressed, bytes => (bytesIn += bytes)))
  const stream = compression === 'gzip' ? createGunzip() : createZstdDecompress()
  input.on('error', error => stream.destroy(error)).pipe(stream)
  const content = createIterableReader(stream, signal)
  return {
    async read(into) {
      const bytes = await content.read(into).catch(refuseBroken)
      bytesOut += bytes
      if (bytesOut > maxDecompressedBytes) throw tooLarge(`is larger than ${maxDecompressedBytes} bytes`)
      if (bytesOut > ratioGraceBytes && bytesOut > bytesIn * maxCompressionRatio) {
        throw tooLarge(`is over ${maxCompressionRatio} times larger than its compressed form`)
      }
      return bytes
    },
    async close() {
      input.destroy()
      stream.destroy()
      await compressed.close()
    },
  }
}

async function* pieces(reader: ByteReader, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for (;;) {
    const piece = Buffer.allocUnsafe(64 * 1024)
    const bytes = await reader.read(piece)
    if (bytes === 0) return
    count(bytes)
    yield piece.subarray(0, bytes)
  }
}

function tooLarge(what: string): Error {
  return toCsvError('DECOMPRESSED_TOO_LARGE', `the decompressed content ${what}`)
}

function refuseBroken(error: NodeJS.ErrnoException): never {
  if (!/^(Z_|ZSTD_)/.test(String(error.code))) throw error
  throw toCsvError('COMPRESSED_DATA_BROKEN', `the compressed data cannot be read: ${error.message}`)
}
