import * as z from 'zod/mini'
import type { Dialect } from '../dialect/dialect.ts'
import { dialectSchema } from '../dialect/dialect-schema.ts'
import type { ColumnMapping } from '../open/map-columns.ts'
import { type CsvVersion, columnMappingSchema, versionSchema } from './manifest.ts'

/** What a worker needs to know of a file to read a chunk of it: the place, the version, the form. */
export interface CsvFile {
  readonly bucket?: string | undefined
  readonly key: string
  readonly source: CsvVersion
  readonly dialect: Dialect
  /** As the file names them; rows have them as keys. */
  readonly columns: readonly string[]
  /** Where columns were expected: how the file names each, or null for an optional one that it has not. */
  readonly columnOf?: ColumnMapping | undefined
}

/** A file as it travels in payloads. */
export const csvFileSchema: z.ZodMiniType<CsvFile, CsvFile> = z.object({
  bucket: z.optional(z.string().check(z.minLength(1))),
  key: z.string().check(z.minLength(1)),
  source: versionSchema,
  dialect: dialectSchema,
  columns: z.array(z.string()),
  columnOf: z.optional(columnMappingSchema),
})
