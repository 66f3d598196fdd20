import { type ObjectStore, readJson, type StoredJson } from '@stepwright/object-store'
import * as z from 'zod/mini'
import { manifestKey, type Partition } from './dataset.ts'
import type { TransformStats } from './outputs.ts'
import { daySchema, fileTypeSchema } from './transform-input.ts'

const count = z.int().check(z.nonnegative())

export const columnSchema = z.object({ name: z.string(), type: z.string() })
/** A raw file as Preflight saw it. */
export const sourceFile = z.object({ key: z.string(), size: count, etag: z.string() })
export const dataFile = z.object({ key: z.string(), size: count })

/** What a partition consists of: the only thing that a reader may go by. It is replaced whole. */
export const manifestSchema = z.object({
  ds: daySchema,
  correlationId: z.string(),
  glueRunId: z.string(),
  /** Runs of the same execution that failed before. */
  failedRunIds: z.optional(z.array(z.string())),
  rowCount: count,
  files: z.array(dataFile),
  /** What the keys of its files begin with. */
  prefix: z.string(),
  /** The same of the run that it took the place of: its files stay until the next one, for whoever still reads. */
  replaces: z.optional(z.string()),
  columns: z.array(columnSchema),
  schemaHash: z.string(),
  /** How many raw files it was made of. */
  sourceCount: count,
  /** Which: to make it once more of the very same, while they are there. */
  sources: z.optional(z.array(sourceFile)),
  fileType: z.optional(fileTypeSchema),
  /** Columns of texts that were made of values in Parquet, since the raw files were gone: `1.50` may be `1.5`. */
  recast: z.optional(z.array(z.string())),
  /** Rules that do not hold and are not critical. */
  warnings: z.array(z.string()),
  publishedAt: z.string(),
})
export type Manifest = z.infer<typeof manifestSchema>

export function readManifest(
  curated: Pick<ObjectStore, 'get'>,
  partition: Partition,
  signal?: AbortSignal,
): Promise<StoredJson<Manifest> | undefined> {
  return readJson(curated, manifestKey(partition), manifestSchema, { signal })
}

export function statsOf({ rowCount, files }: Pick<Manifest, 'rowCount' | 'files'>): TransformStats {
  return {
    rowCount,
    bytesWritten: files.reduce((sum, { size }) => sum + size, 0),
    fileCount: files.length,
  }
}
