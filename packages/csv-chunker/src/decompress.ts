import { Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { type ByteReader, type ByteSource, createIterableReader, readFully } from './byte-source.ts'
import { toCsvError } from './csv-problem.ts'
import { type CsvLimits, defaultLimits } from './limits.ts'

export type Compression = 'gzip' | 'zstd'

/** What a file's first bytes say. */
export async function detectCompression(
  source: ByteSource,
  signal?: AbortSignal,
): Promise<Compression | undefined> {
  const reader = await source.open({ length: 4, signal })
  try {
    const magic = Buffer.alloc(4)
    await readFully(reader, magic)
    if (magic.readUInt16BE(0) === 0x1f8b) return 'gzip'
    return magic.readUInt32BE(0) === 0x28b52ffd ? 'zstd' : undefined
  } finally {
    await reader.close()
  }
}

const ratioGraceBytes = 16 * 1024 * 1024

/** The content of a compressed source, decompressed on the fly. It can only be read from its start. */
export function createDecompressedSource(
  source: ByteSource,
  compression: Compression,
  limits: CsvLimits = {},
): ByteSource {
  const { maxDecompressedBytes, maxCompressionRatio } = { ...defaultLimits, ...limits }
  return {
    async facts(signal) {
      return { size: undefined, etag: (await source.facts(signal)).etag }
    },
    async open({ offset = 0, length, etag, signal } = {}) {
      if (offset !== 0 || length !== undefined) {
        throw toCsvError(
          'COMPRESSED_SOURCE',
          'compressed data has no byte ranges: split it into chunk objects',
        )
      }
      const compressed = await source.open({ etag, signal })
      let bytesIn = 0
      const input = Readable.from(pieces(compressed, bytes => (bytesIn += bytes)))
      const stream = compression === 'gzip' ? createGunzip() : createZstdDecompress()
      input.on('error', error => stream.destroy(error)).pipe(stream)
      const content = createIterableReader(stream, signal)
      let bytesOut = 0
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
