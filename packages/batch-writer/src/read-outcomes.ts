import {
  DatabaseConnectionError,
  DataValidationError,
  isTaskError,
  TemporaryError,
  toTaskError,
} from '@stepwright/errors'
import type { CallLimits } from './call-limits.ts'
import type { ChunkLedger } from './chunk-ledger.ts'
import type { ChunkRecord, RejectedRow } from './row-sink.ts'
import { type ChunkEntry, toChunkName } from './tasks/chunk-entry.ts'
import type { NumberedRows } from './writer/read-batches.ts'

/** What became of one row of a file. */
export type RowOutcome<Item> = {
  readonly rowNumber: number
  /** Missing where the file can no longer be read. */
  readonly item?: Item
} & (
  | { readonly outcome: 'written' | 'unwritten' }
  | {
      readonly outcome: 'rejected'
      readonly rejected: RejectedRow
      /** What the error is called: the database's verdicts have names, too. */
      readonly errorName: string
    }
)

export interface ReadOutcomesOptions extends CallLimits {
  /** Whether rows count as unwritten when the database cannot be asked, or the call fails. @default 'fail' */
  readonly unreachable?: 'unwritten' | 'fail'
}

/** A chunk that says which rows it has, as those of csv-chunker do. */
export interface CountedChunkEntry extends ChunkEntry {
  readonly chunk: { readonly index: number; readonly firstRow: number; readonly rowCount: number }
}

export interface ReadOutcomesPorts<Entry, Item> {
  readonly ledger: Pick<ChunkLedger, 'find'>
  readonly readChunk: (
    entry: Entry,
    options: { readonly signal: AbortSignal },
  ) => AsyncIterable<NumberedRows<Item>>
}

/**
 * What became of every row of chunks of one job, in order. The ledger's word counts: a chunk that was committed is
 * written, whatever happened to the answer. Where a file was replaced or deleted since, rows have their numbers only.
 */
export async function* readOutcomes<Entry extends CountedChunkEntry, Item>(
  entries: readonly Entry[],
  { ledger, readChunk }: ReadOutcomesPorts<Entry, Item>,
  { unreachable = 'fail', ...limits }: ReadOutcomesOptions,
): AsyncGenerator<RowOutcome<Item>> {
  const [first] = entries
  if (first === undefined) return
  const names = entries.map(({ chunk }) => toChunkName(chunk))
  const found = await ledger.find(first.jobId, names, limits).catch(error => {
    if (unreachable === 'fail' || !isUnreachable(error)) throw error
    return []
  })
  const records = new Map(found.map(record => [record.chunk, record]))
  for (const entry of entries) {
    limits.signal.throwIfAborted()
    const outcomeOf = createOutcomeOf(records.get(toChunkName(entry.chunk)))
    for await (const row of readNumbered(entry, readChunk(entry, limits))) {
      yield { ...row, ...outcomeOf(row.rowNumber) }
    }
  }
}

function createOutcomeOf(record: ChunkRecord | undefined) {
  if (record === undefined) return () => ({ outcome: 'unwritten' }) as const
  const rejections = new Map(record.rejected.map(row => [row.rowNumber, row]))
  return (rowNumber: number) => {
    const rejected = rejections.get(rowNumber)
    if (rejected === undefined) return { outcome: 'written' } as const
    return { outcome: 'rejected', rejected, errorName: errorNameOf(rejected) } as const
  }
}

function errorNameOf({ reason, sqlState }: RejectedRow): string {
  if (sqlState === undefined) return DataValidationError.errorName
  return toTaskError(Object.assign(new Error(reason), { code: sqlState })).name
}

function isUnreachable(error: unknown): boolean {
  return isTaskError(error, DatabaseConnectionError) || isTaskError(error, TemporaryError)
}

async function* readNumbered<Item>(
  { chunk: { firstRow, rowCount } }: CountedChunkEntry,
  batches: AsyncIterable<NumberedRows<Item>>,
): AsyncGenerator<{ readonly rowNumber: number; readonly item?: Item }> {
  let rowNumber = firstRow
  try {
    for await (const { rows } of batches) {
      for (const item of rows) {
        yield { rowNumber, item }
        rowNumber += 1
      }
    }
  } catch (error) {
    if (!isTaskError(error) || error.kind !== 'business') throw error
    for (; rowNumber < firstRow + rowCount; rowNumber += 1) yield { rowNumber }
  }
}
