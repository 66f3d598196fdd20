import { DataValidationError, describeIssues, toIssues } from '@stepwright/errors'
import * as z from 'zod/mini'
import type { Dialect } from '../dialect/dialect.ts'
import { dialectSchema } from '../dialect/dialect-schema.ts'
import type { ColumnMapping } from '../open/map-columns.ts'

/** A stretch of a file that holds whole records. */
export interface CsvChunk {
  /** Counted from 0. */
  readonly index: number
  readonly offset: number
  readonly length: number
  /** The number of its first row in the file; data rows count from 1. */
  readonly firstRow: number
  readonly rowCount: number
  /** Of the chunk's bytes, in hexadecimal, like the next; absent where split was told to leave it out. */
  readonly crc32?: string | undefined
  readonly sha256?: string | undefined
  /** Where each chunk is an object of its own. */
  readonly key?: string | undefined
}

/** The version of a file that its chunks belong to. */
export interface CsvVersion {
  readonly size: number
  readonly etag?: string | undefined
  /** Only where the caller named it: reading by it needs a permission of its own. */
  readonly versionId?: string | undefined
}

/** How a file was split. Once written it never changes: a retry reads it and does not split again. */
export interface Manifest {
  readonly version: 1
  readonly source: CsvVersion
  readonly dialect: Dialect
  readonly columns: readonly string[]
  /** Where columns were expected: how the file names each. */
  readonly columnOf?: ColumnMapping | undefined
  /** The bytes before the first chunk: byte order mark, empty lines and header. */
  readonly headerBytes: number
  readonly rowCount: number
  readonly chunks: readonly CsvChunk[]
}

const count = z.int().check(z.nonnegative())

/** A chunk as it travels in payloads and manifests. */
export const chunkSchema: z.ZodMiniType<CsvChunk, CsvChunk> = z.object({
  index: count,
  offset: count,
  length: count,
  firstRow: count,
  rowCount: count,
  crc32: z.optional(z.string()),
  sha256: z.optional(z.string()),
  key: z.optional(z.string()),
})

export const versionSchema: z.ZodMiniType<CsvVersion, CsvVersion> = z.object({
  size: count,
  etag: z.optional(z.string()),
  versionId: z.optional(z.string()),
})

export const columnMappingSchema: z.ZodMiniType<ColumnMapping, ColumnMapping> = z.record(
  z.string(),
  z.nullable(z.string()),
)

const manifestSchema = z.object({
  version: z.literal(1),
  source: versionSchema,
  dialect: dialectSchema,
  columns: z.array(z.string()),
  columnOf: z.optional(columnMappingSchema),
  headerBytes: count,
  rowCount: count,
  chunks: z.array(chunkSchema),
})

/** @throws DataValidationError if the value is not a manifest */
export function parseManifest(value: unknown): Manifest {
  const { success, data, error } = manifestSchema.safeParse(value)
  if (success) return data
  const issues = toIssues(error.issues) ?? []
  throw new DataValidationError(`the value is not a manifest: ${describeIssues(issues)}`, {
    details: { issues },
  })
}
