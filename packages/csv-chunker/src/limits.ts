/** What a file may be before it is refused. Every limit is there so that no input can exhaust memory. */
export interface CsvLimits {
  /** @default 1 MiB */
  readonly maxRowBytes?: number
  /** @default 4,096 */
  readonly maxColumns?: number
  /** Of the file as it is stored. @default 5 GiB */
  readonly maxFileBytes?: number
  /** Of a compressed file's content. @default 8 GiB */
  readonly maxDecompressedBytes?: number
  /** How many times larger than its compressed form the content may be, past the first 16 MiB. @default 500 */
  readonly maxCompressionRatio?: number
}

export const defaultLimits: Required<CsvLimits> = {
  maxRowBytes: 1024 * 1024,
  maxColumns: 4096,
  maxFileBytes: 5 * 1024 ** 3,
  maxDecompressedBytes: 8 * 1024 ** 3,
  maxCompressionRatio: 500,
}
