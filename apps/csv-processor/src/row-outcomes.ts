import type { LogType } from '@stepwright/audit-log'
import type { ChunkRecord } from '@stepwright/batch-writer'
import { type CsvChunk, createObjectSource, type Row, readChunk } from '@stepwright/csv-chunker'
import {
  ConflictError,
  CSVValidationError,
  DataValidationError,
  ForbiddenError,
  isTaskError,
  NotFoundError,
  toTaskError,
} from '@stepwright/errors'
import type { RowError } from './caught-error.ts'
import type { CsvBatch, CsvSource } from './csv-batch.ts'
import type { CsvProcessorPorts } from './ports.ts'

/** What became of one row of the file. */
export interface RowOutcome {
  /** Counted from 1, as people count the rows below a header. */
  readonly itemIndex: number
  readonly logType: LogType
  /** Missing where the file can no longer be read. */
  readonly userRecord?: Row
  readonly error?: RowError
}

/** Why rows that were not written were not. */
export interface ChunkFailure {
  readonly logType: Exclude<LogType, 'SUCCESS'>
  readonly error: RowError
}

/** Of rows that were said to be reflected: what the ledger does not know was not. */
export const notReflected: ChunkFailure = {
  logType: 'SYSTEM_ERROR',
  error: { Error: 'NotReflected', Cause: 'the ledger does not know the row' },
}

/**
 * The outcome of every row of a chunk, in order. What the ledger says counts: a chunk that was committed is
 * reflected, whatever happened to the answer.
 */
export async function* rowOutcomes(
  { BatchInput: { file } }: CsvBatch,
  chunk: CsvChunk,
  known: { readonly record: ChunkRecord | undefined; readonly failure: ChunkFailure },
  { storeOf }: Pick<CsvProcessorPorts, 'storeOf'>,
  signal: AbortSignal,
): AsyncGenerator<RowOutcome> {
  const { record, failure } = known
  const rejected = new Map(record?.rejected.map(row => [row.rowNumber, toRejection(row)]))
  for await (const { itemIndex, userRecord } of readRecords(file, chunk, storeOf(file.bucket), signal)) {
    const row = { itemIndex, ...(userRecord && { userRecord }) }
    const error = rejected.get(itemIndex)
    if (record === undefined) yield { ...row, ...failure }
    else if (error === undefined) yield { ...row, logType: 'SUCCESS' }
    else yield { ...row, logType: 'BUSINESS_ERROR', error }
  }
}

/** The rows with their numbers; the numbers alone if the file has changed or is gone. */
async function* readRecords(
  file: CsvSource,
  chunk: CsvChunk,
  store: ReturnType<CsvProcessorPorts['storeOf']>,
  signal: AbortSignal,
): AsyncGenerator<{ readonly itemIndex: number; readonly userRecord?: Row }> {
  let itemIndex = chunk.firstRow
  try {
    const batches = readChunk(createObjectSource(store, file.key), file, chunk, { signal })
    for await (const { rows } of batches) {
      for (const userRecord of rows) {
        yield { itemIndex, userRecord }
        itemIndex += 1
      }
    }
  } catch (error) {
    const unreadable = [NotFoundError, ConflictError, ForbiddenError, CSVValidationError]
    if (!unreadable.some(kind => isTaskError(error, kind))) throw error
    for (; itemIndex < chunk.firstRow + chunk.rowCount; itemIndex += 1) yield { itemIndex }
  }
}

/** What a rejected row's error is called: the database's verdicts have names, too. */
function toRejection({ reason, sqlState }: ChunkRecord['rejected'][number]): RowError {
  const name =
    sqlState === undefined
      ? DataValidationError.errorName
      : toTaskError(Object.assign(new Error(reason), { code: sqlState })).name
  return { Error: name, Cause: reason }
}
