import { defaultLimits } from '../limits.ts'
import type { ColumnOptions } from '../open/map-columns.ts'
import type { OpenCsvOptions, OpenedCsv } from '../open/open-csv.ts'
import { type ChunkOptions, toChunkOptions } from './chunk-options.ts'
import type { CutOptions } from './cut-chunks.ts'

export interface SplitOptions extends OpenCsvOptions, ChunkOptions, ColumnOptions {
  /** More are refused as `TOO_MANY_ROWS`. @default no limit */
  readonly maxRows?: number
  /** Bytes of one read. @default 1 MiB */
  readonly blockBytes?: number
}

const defaultBlockBytes = 1024 * 1024

export function toCutOptions(opened: OpenedCsv, options: SplitOptions): CutOptions {
  const { limits = {}, simd = true, showText = false, maxRows = Number.POSITIVE_INFINITY, signal } = options
  const known = opened.compression ? undefined : opened.size
  const { blockBytes = Math.min(defaultBlockBytes, known ?? defaultBlockBytes) } = options
  return {
    ...toChunkOptions(options),
    dialect: opened.dialect,
    columns: opened.columns,
    showText,
    byteOffset: opened.headerBytes,
    maxRows,
    maxRowBytes: limits.maxRowBytes ?? defaultLimits.maxRowBytes,
    simd,
    blockBytes,
    signal,
  }
}
