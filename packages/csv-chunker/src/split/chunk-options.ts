import type { DigestKind } from './digest.ts'

/** Where a file is cut, and what the manifest says of each chunk. */
export interface ChunkOptions {
  /** @default 5,000 */
  readonly rowsPerChunk?: number
  /** A chunk ends before it would have more bytes. @default 64 MiB */
  readonly maxChunkBytes?: number
  /** More are refused as `TOO_MANY_ROWS`. @default no limit */
  readonly maxChunks?: number
  /**
   * What readers compare a chunk's bytes with. SHA-256 is several times slower than CRC-32, and guards
   * against forgery only where the manifest is out of the forger's reach. @default 'crc-32'
   */
  readonly digest?: DigestKind
}

/** `ChunkOptions` with their defaults. */
export function toChunkOptions(options: ChunkOptions): Required<ChunkOptions> {
  const {
    rowsPerChunk = 5000,
    maxChunkBytes = 64 * 1024 * 1024,
    maxChunks = Number.POSITIVE_INFINITY,
    digest = 'crc-32',
  } = options
  return { rowsPerChunk, maxChunkBytes, maxChunks, digest }
}
