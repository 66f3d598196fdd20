import * as z from 'zod/mini'
import type { ChunkCounts, RejectedRow } from '../row-sink.ts'
import type { EntryBatch } from './chunk-entry.ts'

export const countSchema: z.ZodMiniNumberFormat = z.int().check(z.nonnegative())

export const jobIdSchema: z.ZodMiniString<string> = z.string().check(z.minLength(1))

type ChunkSchema = z.ZodMiniUnion<
  readonly [
    z.ZodMiniString<string>,
    z.ZodMiniObject<{ readonly index: z.ZodMiniNumberFormat }, z.core.$loose>,
  ]
>

const chunkSchema: ChunkSchema = z.union([
  z.string().check(z.minLength(1)),
  z.looseObject({ index: countSchema }),
])

/** A chunk of a job and whatever else `readChunk` and `toRow` need; to be extended. */
export const chunkEntrySchema: z.ZodMiniObject<
  { readonly jobId: z.ZodMiniString<string>; readonly chunk: ChunkSchema },
  z.core.$loose
> = z.looseObject({ jobId: jobIdSchema, chunk: chunkSchema })

/** What ItemBatcher makes of a job and its chunks. */
export const entryBatchSchema: z.ZodMiniType<EntryBatch> = z.looseObject({
  BatchInput: z.looseObject({ jobId: jobIdSchema }),
  Items: z.array(chunkSchema).check(z.minLength(1)),
})

export const countsSchema: z.ZodMiniType<ChunkCounts> = z.object({
  received: countSchema,
  inserted: countSchema,
  updated: countSchema,
  unchanged: countSchema,
  duplicates: countSchema,
  rejected: countSchema,
})

export const rejectedRowSchema: z.ZodMiniType<RejectedRow> = z.object({
  rowNumber: z.int(),
  reason: z.string(),
  sqlState: z.exactOptional(z.string()),
  column: z.exactOptional(z.string()),
  constraint: z.exactOptional(z.string()),
})
