import { DataValidationError, describeIssues, toIssues } from '@stepwright/errors'
import * as z from 'zod/mini'
import type { Dialect } from '../dialect/dialect.ts'

/** A stretch of a file that holds whole records. */
export interface Chunk {
  /** Counted from 0. */
  readonly index: number
  readonly offset: number
  readonly length: number
  /** The number of its first row in the file; data rows count from 1. */
  readonly firstRow: number
  readonly rowCount: number
  /** Of the chunk's bytes, in hexadecimal; absent where split was told to leave it out. */
  readonly sha256?: string | undefined
}

/** How a file was split. Once written it never changes: a retry reads it and does not split again. */
export interface Manifest {
  readonly version: 1
  readonly source: { readonly size: number; readonly etag?: string | undefined }
  readonly dialect: Dialect
  readonly columns: readonly string[]
  /** The bytes before the first chunk: byte order mark and header. */
  readonly headerBytes: number
  readonly rowCount: number
  readonly chunks: readonly Chunk[]
}

const count = z.int().check(z.nonnegative())

const chunkSchema = z.object({
  index: count,
  offset: count,
  length: count,
  firstRow: count,
  rowCount: count,
  sha256: z.optional(z.string()),
})

const dialectSchema = z.object({
  encoding: z.enum(['UTF-8', 'UTF-16LE', 'UTF-16BE', 'Shift_JIS', 'EUC-JP', 'ISO-8859-1']),
  bomBytes: count,
  delimiter: z.enum([',', ';', '\t', '|']),
  quote: z.enum(['"', "'", '']),
  newline: z.enum(['LF', 'CRLF', 'CR']),
  header: z.boolean(),
})

const manifestSchema = z.object({
  version: z.literal(1),
  source: z.object({ size: count, etag: z.optional(z.string()) }),
  dialect: dialectSchema,
  columns: z.array(z.string()),
  headerBytes: count,
  rowCount: count,
  chunks: z.array(chunkSchema),
})

/** @throws DataValidationError if the value is no manifest */
export function parseManifest(value: unknown): Manifest {
  const { success, data, error } = manifestSchema.safeParse(value)
  if (success) return data
  const issues = toIssues(error.issues) ?? []
  throw new DataValidationError(`this is no manifest: ${describeIssues(issues)}`, { details: { issues } })
}
