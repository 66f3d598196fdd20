import type { CsvChunk, Dialect, Manifest } from '@stepwright/csv-chunker'
import { chunkSchema, dialectSchema } from '@stepwright/csv-chunker/tasks'
import * as z from 'zod/mini'
import { userActivityColumns } from './user-activity.ts'

const count = z.int().check(z.nonnegative())

/** What a worker needs to know of the file, so that it need not read the manifest. */
export const csvSource = z.object({
  bucket: z.string().check(z.minLength(1)),
  key: z.string().check(z.minLength(1)),
  source: z.object({ size: count, etag: z.string() }),
  dialect: dialectSchema,
  columns: z.array(z.string()).check(z.maxLength(userActivityColumns.length + 1)),
})

export interface CsvSource extends Pick<Manifest, 'columns'> {
  readonly bucket: string
  readonly key: string
  readonly source: { readonly size: number; readonly etag: string }
  readonly dialect: Dialect
}

/** One item of the Map: byte ranges of the file, as ItemBatcher groups them. The rows stay in S3. */
export const csvBatch = z.object({
  BatchInput: z.object({
    executionId: z.string().check(z.minLength(1)),
    jobId: z.string().check(z.minLength(1)),
    file: csvSource,
  }),
  Items: z.array(chunkSchema).check(z.minLength(1)),
})

export interface CsvBatch {
  readonly BatchInput: { readonly executionId: string; readonly jobId: string; readonly file: CsvSource }
  readonly Items: readonly CsvChunk[]
}

export function rowsOf({ Items }: CsvBatch): number {
  return Items.reduce((sum, { rowCount }) => sum + rowCount, 0)
}
