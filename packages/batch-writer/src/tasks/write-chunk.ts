import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { TaskErrorClass } from '@stepwright/errors'
import { defineTask, type Task, type TaskContext } from '@stepwright/task'
import * as z from 'zod/mini'
import { addChunkCounts, noCounts } from '../chunk-ledger.ts'
import type { ChunkCounts, RejectedRow, Scope } from '../row-sink.ts'
import type { BatchWriter, ChunkProgress, ChunkResult } from '../writer/batch-writer.ts'
import { checksumOf } from '../writer/checksum.ts'
import type { RecordSource, ToRow } from '../writer/read-batches.ts'
import { type ChunkEntry, type EntryBatch, type EntryOf, toChunkName, toEntries } from './chunk-entry.ts'
import {
  chunkEntrySchema,
  countSchema,
  countsSchema,
  entryBatchSchema,
  rejectedRowSchema,
} from './schemas.ts'
import { batchWriterTaskErrors } from './task-errors.ts'
import { tellRetry } from './tell-retry.ts'

/** Opens the records of a chunk; called again for every attempt. csv-chunker's `createChunkReader` makes one. */
export type ReadChunk<Entry, Item> = (
  entry: Entry,
  options: { readonly signal: AbortSignal },
) => ReturnType<RecordSource<Item>>

export interface WriteChunkPorts<Entry, Item, Row> {
  readonly writer: BatchWriter<Row>
  readonly readChunk: ReadChunk<Entry, Item>
}

export interface WriteChunkOptions<
  Item,
  Row,
  Input extends StandardSchemaV1,
  Entry extends ChunkEntry,
  Output extends StandardSchemaV1,
> {
  /** @default an entry with `jobId` and `chunk`, or what ItemBatcher makes of several: `{ BatchInput, Items }` */
  readonly input?: Input
  /** The chunks that an input is about, written one after the other. @default the input, or its `Items` */
  readonly entries?: (input: StandardSchemaV1.InferOutput<Input>) => readonly Entry[]
  /**
   * Gives, once for each entry, what maps its records to rows: undefined passes a record over, and a business error
   * rejects it.
   */
  readonly toRow: (entry: NoInfer<Entry>) => ToRow<Item, Row>
  /** What must be the same whenever the chunk is delivered again. @default the entry */
  readonly identity?: (entry: NoInfer<Entry>) => unknown
  /** What a chunk's job replaces, for a writer whose conflict mode is `replace`. */
  readonly scope?: (entry: NoInfer<Entry>) => Scope
  /** The error to be thrown for one that a chunk failed with. @default the same */
  readonly explain?: (error: unknown, entry: NoInfer<Entry>) => unknown
  /** All that it announces, with what `readChunk` and `explain` bring. @default batchWriterTaskErrors */
  readonly errors?: readonly TaskErrorClass[]
  /** A call is stopped after so long, whatever its function's timeout. */
  readonly maxSeconds?: number
  readonly onProgress?: (progress: ChunkProgress, entry: NoInfer<Entry>) => void | Promise<void>
  /** @default that of a `WriteReport` */
  readonly output?: Output
  /** What a state gets to see. @default the report as it is */
  readonly report?: (
    report: WriteReport,
    input: StandardSchemaV1.InferOutput<Input>,
  ) => StandardSchemaV1.InferInput<Output>
  /** @default 'write-chunk' */
  readonly name?: string
  readonly description?: string
}

/** How the chunks of a call went, small enough for a state's payload. */
export interface WriteReport {
  readonly chunks: number
  /** Those that an earlier delivery had written: their counts are that one's. */
  readonly recordedChunks: number
  readonly counts: ChunkCounts
  /** The first 100; the ledger has them all. */
  readonly rejected: readonly RejectedRow[]
}

const maxShownRejections = 100

const writeReport = z.object({
  chunks: countSchema,
  recordedChunks: countSchema,
  counts: countsSchema,
  rejected: z.array(rejectedRowSchema),
})

/** A task that writes chunks of a job, each once, however often it is delivered. */
export function writeChunk<
  Item,
  Row extends object,
  Input extends StandardSchemaV1 = StandardSchemaV1<ChunkEntry | EntryBatch>,
  Entry extends ChunkEntry = EntryOf<StandardSchemaV1.InferOutput<Input>>,
  Output extends StandardSchemaV1 = StandardSchemaV1<WriteReport>,
>({
  input = z.union([entryBatchSchema, chunkEntrySchema]) as unknown as Input,
  entries = given => toEntries(given as ChunkEntry) as unknown as readonly Entry[],
  toRow,
  identity = entry => entry,
  scope,
  explain = error => error,
  errors = batchWriterTaskErrors,
  maxSeconds,
  onProgress,
  output = writeReport as unknown as Output,
  report = given => given as StandardSchemaV1.InferInput<Output>,
  name = 'write-chunk',
  description = 'Writes chunks of rows into a table, each exactly once, and sets apart the rows that are refused.',
}: WriteChunkOptions<Item, Row, Input, Entry, Output>): Task<
  StandardSchemaV1.InferInput<Input>,
  StandardSchemaV1.InferOutput<Output>,
  WriteChunkPorts<Entry, Item, Row>
> {
  async function writeEntry(
    entry: Entry,
    { writer, readChunk }: WriteChunkPorts<Entry, Item, Row>,
    context: TaskContext,
  ): Promise<ChunkResult> {
    const { signal, remainingMs } = context
    const key = { jobId: entry.jobId, chunk: toChunkName(entry.chunk) }
    try {
      return await writer.write<Item>({
        ...key,
        checksum: checksumOf(identity(entry)),
        records: () => readChunk(entry, { signal }),
        toRow: toRow(entry),
        signal,
        remainingMs,
        onRetry: retry => tellRetry('chunk', retry, key, context),
        ...(scope && { scope: scope(entry) }),
        ...(onProgress && { onProgress: progress => onProgress(progress, entry) }),
      })
    } catch (error) {
      throw explain(error, entry)
    }
  }

  return defineTask({
    name,
    description,
    idempotent: true,
    ...(maxSeconds !== undefined && { maxSeconds }),
    needs: {
      ports: {
        writer: 'The batch writer of the table that the rows go into.',
        readChunk: "Opens an entry's records, such as createChunkReader of csv-chunker does.",
      },
      permissions: [
        { actions: ['rds-db:connect'], on: 'the database user, where it signs in by IAM' },
        { actions: ['s3:GetObject'], on: 'what readChunk reads' },
      ],
    },
    input,
    output,
    errors,
    async run(given, ports: WriteChunkPorts<Entry, Item, Row>, context) {
      let total: WriteReport = { chunks: 0, recordedChunks: 0, counts: noCounts, rejected: [] }
      for (const entry of entries(given)) {
        const result = await writeEntry(entry, ports, context)
        tell(result, context)
        total = addResult(total, result)
      }
      return report(total, given)
    },
  })
}

function tell(
  { jobId, chunk, status, attempt, counts }: ChunkResult,
  { logger, metrics }: TaskContext,
): void {
  logger.info('chunk done', { jobId, chunk, status, attempt, counts })
  if (status === 'recorded') return
  metrics.add('RowsWritten', counts.inserted + counts.updated)
  metrics.add('RowsRejected', counts.rejected)
}

function addResult(total: WriteReport, { status, counts, rejected }: ChunkResult): WriteReport {
  return {
    chunks: total.chunks + 1,
    recordedChunks: total.recordedChunks + (status === 'recorded' ? 1 : 0),
    counts: addChunkCounts(total.counts, counts),
    rejected: [...total.rejected, ...rejected].slice(0, maxShownRejections),
  }
}
