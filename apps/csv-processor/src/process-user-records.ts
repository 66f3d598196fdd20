import { checksumOf } from '@stepwright/batch-writer'
import { type CsvChunk, createObjectSource, type Row, readChunk } from '@stepwright/csv-chunker'
import { BusinessError, DataValidationError, ValidationError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { chunkName } from './chunk-ledger.ts'
import { type CsvSource, csvBatch } from './csv-batch.ts'
import type { CsvProcessorPorts } from './ports.ts'
import { databaseErrors, fileErrors } from './task-errors.ts'
import { limitTime } from './time-limit.ts'
import { createRecordParser } from './user-activity.ts'

const count = z.int().check(z.nonnegative())

const input = z.object({
  executionId: z.string().check(z.minLength(1)),
  /** The number of the batch's first row. */
  itemIndex: z.int(),
  userRecord: csvBatch,
})

const output = z.object({
  rowCount: count,
  successCount: count,
  errorCount: count,
  /** Chunks that an earlier delivery had written. */
  recordedChunks: count,
})

/** Less than the state's TimeoutSeconds of 30. */
const maxSeconds = 25

/** CSV_CHUNK_PROCESSING: reflects the rows of a batch in the database, each once, however often it is called. */
export const processUserRecords = /* @__PURE__ */ defineTask({
  name: 'process-user-records',
  input,
  output,
  errors: [BusinessError, DataValidationError, ValidationError, ...databaseErrors, ...fileErrors],
  async run(
    { userRecord: { BatchInput, Items } },
    { writer, storeOf }: Pick<CsvProcessorPorts, 'writer' | 'storeOf'>,
    context,
  ) {
    const { jobId, file } = BatchInput
    const limits = limitTime(context, maxSeconds)
    const toRow = createRecordParser(file.columns)
    const source = createObjectSource(storeOf(file.bucket), file.key)
    const total = { rowCount: 0, successCount: 0, errorCount: 0, recordedChunks: 0 }
    for (const chunk of Items) {
      const { counts, status } = await writer.write<Row>({
        jobId,
        chunk: chunkName(chunk.index),
        checksum: checksumOf(entryOf(file, chunk)),
        firstRowNumber: chunk.firstRow,
        records: () => readPages(readChunk(source, file, chunk, { signal: limits.signal })),
        toRow,
        ...limits,
      })
      total.rowCount += counts.received
      total.successCount += counts.received - counts.rejected
      total.errorCount += counts.rejected
      total.recordedChunks += status === 'recorded' ? 1 : 0
    }
    return total
  },
})

/** What must be the same whenever the chunk is delivered again. */
function entryOf(
  { bucket, key, source, columns }: CsvSource,
  { offset, length, firstRow }: CsvChunk,
): object {
  return { bucket, key, etag: source.etag, columns, offset, length, firstRow }
}

async function* readPages(batches: AsyncIterable<{ rows: readonly Row[] }>): AsyncGenerator<readonly Row[]> {
  for await (const { rows } of batches) yield rows
}
