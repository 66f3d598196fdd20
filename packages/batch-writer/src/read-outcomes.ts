import {
  DatabaseConnectionError,
  DataValidationError,
  isTaskError,
  TemporaryError,
  toTaskError,
} from '@stepwright/errors'
import { classifyPostgres } from '@stepwright/errors/postgres'
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
  ports: ReadOutcomesPorts<Entry, Item>,
  options: ReadOutcomesOptions,
): AsyncGenerator<RowOutcome<Item>> {
  for await (const outcomes of readOutcomeBatches(entries, ports, options)) yield* outcomes
}

/** The same, many at a time: as many as were read together. Each is made when it is asked for, once. */
export async function* readOutcomeBatches<Entry extends CountedChunkEntry, Item>(
  entries: readonly Entry[],
  { ledger, readChunk }: ReadOutcomesPorts<Entry, Item>,
  { unreachable = 'fail', ...limits }: ReadOutcomesOptions,
): AsyncGenerator<Iterable<RowOutcome<Item>>> {
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
    yield* readNumbered(
      entry,
      readChunk(entry, limits),
      createOutcomeOf(records.get(toChunkName(entry.chunk))),
    )
  }
}

type OutcomeOf<Item> = (rowNumber: number, item?: Item) => RowOutcome<Item>

function createOutcomeOf<Item>(record: ChunkRecord | undefined): OutcomeOf<Item> {
  const rejections = new Map(record?.rejected.map(row => [row.rowNumber, row]))
  const outcome = record === undefined ? 'unwritten' : 'written'
  return (rowNumber, item) => {
    const row = item === undefined ? { rowNumber } : { rowNumber, item }
    const rejected = rejections.get(rowNumber)
    if (rejected === undefined) return { ...row, outcome }
    return { ...row, outcome: 'rejected', rejected, errorName: errorNameOf(rejected) }
  }
}

function errorNameOf({ reason, sqlState }: RejectedRow): string {
  if (sqlState === undefined) return DataValidationError.errorName
  return toTaskError(Object.assign(new Error(reason), { code: sqlState }), classifyPostgres).name
}

function isUnreachable(error: unknown): boolean {
  return isTaskError(error, DatabaseConnectionError) || isTaskError(error, TemporaryError)
}

async function* readNumbered<Item>(
  { chunk: { firstRow, rowCount } }: CountedChunkEntry,
  batches: AsyncIterable<NumberedRows<Item>>,
  outcomeOf: OutcomeOf<Item>,
): AsyncGenerator<Iterable<RowOutcome<Item>>> {
  let next = firstRow
  function* outcomesFrom(start: number, rows: readonly Item[]): Generator<RowOutcome<Item>> {
    for (const [index, item] of rows.entries()) yield outcomeOf(start + index, item)
  }
  try {
    for await (const { rows } of batches) {
      const start = next
      next += rows.length
      yield outcomesFrom(start, rows)
    }
  } catch (error) {
    if (!isTaskError(error) || error.kind !== 'business') throw error
    const rest = Math.max(0, firstRow + rowCount - next)
    yield Array.from({ length: rest }, (_, index) => outcomeOf(next + index))
  }
}
