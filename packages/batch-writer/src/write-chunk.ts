import type { StandardSchemaV1 } from '@standard-schema/spec'
import {
  ConflictError,
  DatabaseConnectionError,
  DataValidationError,
  type TaskErrorClass,
  TemporaryError,
  ValidationError,
} from '@stepwright/errors'
import { defineTask, type Task, type TaskContext } from '@stepwright/task'
import * as z from 'zod/mini'
import type { BatchWriter, ChunkProgress } from './batch-writer.ts'
import { checksumOf } from './checksum.ts'
import type { RecordSource } from './read-batches.ts'
import type { ChunkCounts, RejectedRow, Scope } from './row-sink.ts'

/** What a manifest says about a chunk, at least. */
export interface ChunkEntry {
  readonly job: string
  readonly chunk: string
  readonly firstRowNumber?: number | undefined
}

/** A Standard Schema of manifest entries. */
export type EntrySchema = StandardSchemaV1<unknown, ChunkEntry>

export interface WriteChunkOptions<
  Item,
  Row,
  Schema extends EntrySchema = EntrySchema,
  Entry = StandardSchemaV1.InferOutput<Schema>,
> {
  /** Opens the chunk's records; called again for every attempt. */
  readonly readChunk: (entry: Entry, context: TaskContext) => ReturnType<RecordSource<Item>>
  /** The row for a record, or undefined to pass it over; a business error it throws rejects the record. */
  readonly toRow: (record: Item, rowNumber: number, entry: Entry) => Row | undefined
  readonly writer: BatchWriter<Row>
  /** @default an object with `job`, `chunk` and whatever else */
  readonly entry?: Schema
  /** @default 'write-chunk' */
  readonly name?: string
  /** What a chunk's job replaces, for a writer whose conflict mode is `replace`. */
  readonly scope?: (entry: Entry) => Scope
  /** What `readChunk` can fail with. */
  readonly errors?: readonly TaskErrorClass[]
  readonly onProgress?: (progress: ChunkProgress, entry: Entry) => void | Promise<void>
}

/** How a chunk went, small enough for a state's payload. */
export interface ChunkReport {
  readonly job: string
  readonly chunk: string
  readonly status: 'written' | 'recorded'
  readonly attempt: number
  readonly counts: ChunkCounts
  /** The first 100; the ledger has them all. */
  readonly rejected: readonly RejectedRow[]
}

const shownRejections = 100

const count = z.int().check(z.nonnegative())
const counts = z.object({
  received: count,
  inserted: count,
  updated: count,
  unchanged: count,
  duplicates: count,
  rejected: count,
})
const rejectedRow = z.object({
  rowNumber: z.int(),
  reason: z.string(),
  sqlState: z.optional(z.string()),
  column: z.optional(z.string()),
  constraint: z.optional(z.string()),
})
const report = z.object({
  job: z.string(),
  chunk: z.string(),
  status: z.enum(['written', 'recorded']),
  attempt: z.int(),
  counts,
  rejected: z.array(rejectedRow),
})
const anyEntry = z.looseObject({
  job: z.string().check(z.minLength(1)),
  chunk: z.string().check(z.minLength(1)),
  firstRowNumber: z.optional(z.int()),
})

/**
 * A task that writes one chunk of a manifest, once, however often it is delivered. Its input is the manifest's
 * entry; another entry under the same job and chunk is a `ConflictError`.
 */
export function writeChunk<Item, Row extends object, Schema extends EntrySchema = EntrySchema>({
  readChunk,
  toRow,
  writer,
  entry: schema = anyEntry as unknown as Schema,
  name = 'write-chunk',
  scope,
  errors = [],
  onProgress,
}: WriteChunkOptions<Item, Row, Schema>): Task<
  StandardSchemaV1.InferInput<Schema>,
  ChunkReport,
  Record<never, never>
> {
  return defineTask({
    name,
    input: schema,
    output: report as unknown as StandardSchemaV1<ChunkReport, ChunkReport>,
    errors: [
      ConflictError,
      DataValidationError,
      ValidationError,
      DatabaseConnectionError,
      TemporaryError,
      ...errors,
    ],
    async run(entry, _ports, context): Promise<ChunkReport> {
      const { job, chunk, firstRowNumber = 1 } = entry
      const result = await writer.write<Item>({
        job,
        chunk,
        firstRowNumber,
        checksum: checksumOf(entry),
        records: () => readChunk(entry, context),
        toRow: (record, rowNumber) => toRow(record, rowNumber, entry),
        signal: context.signal,
        remainingMs: context.remainingMs,
        ...(scope ? { scope: scope(entry) } : {}),
        ...(onProgress ? { onProgress: progress => onProgress(progress, entry) } : {}),
      })
      const { status, attempt, counts, rejected } = result
      context.metrics.add('RowsWritten', counts.inserted + counts.updated)
      context.metrics.add('RowsRejected', counts.rejected)
      context.logger.info('chunk done', { job, chunk, status, attempt, counts })
      return { job, chunk, status, attempt, counts, rejected: rejected.slice(0, shownRejections) }
    },
  })
}
