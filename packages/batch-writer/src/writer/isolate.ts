import { type ChunkTransaction, type Refusal, RefusedBatchError, type WriteCounts } from '../row-sink.ts'
import type { ArrangedRows, NumberedRows } from './arrange.ts'
import type { Rejections } from './rejections.ts'
import { missingReference, type WaitingRows } from './waiting-rows.ts'

/** What became of a batch; rows that are in none of the counts were rejected. */
export interface BatchCounts extends WriteCounts {
  readonly duplicates: number
}

export const nothing: BatchCounts = { inserted: 0, updated: 0, unchanged: 0, duplicates: 0 }

/**
 * Writes a batch except for the rows that the sink refuses. These are found by splitting: at the row that the
 * sink suspects, or else in half, so that k bad rows among n cost O(k log n) statements. A row is only rejected
 * when it was refused alone, and a row that refers to one that does not exist waits, if it may.
 */
export async function writeOrIsolate<Row>(
  transaction: ChunkTransaction<Row>,
  given: ArrangedRows<Row>,
  { rejections, waiting }: Refused<Row>,
  depth = 0,
): Promise<BatchCounts> {
  const refused = { rejections, waiting }
  const batch = waiting?.holdBack(given) ?? given
  if (batch.rows.length === 0) return nothing
  try {
    return withDuplicates(await transaction.write(batch.rows, { distinct: batch.distinct }), batch)
  } catch (error) {
    if (!(error instanceof RefusedBatchError)) throw error
    if (batch.rows.length === 1) return refuseOrUnmerge(transaction, batch, refused, error.refusal)
    let counts = nothing
    for (const part of split(batch, error.refusal.suspect, depth)) {
      counts = addCounts(counts, await writeOrIsolate(transaction, part, refused, depth + 1))
    }
    return counts
  }
}

/** Where refused rows go. */
export interface Refused<Row> {
  readonly rejections: Rejections
  /** Undefined if nothing can come any more that a row refers to. */
  readonly waiting: WaitingRows<Row> | undefined
}

async function refuseOrUnmerge<Row>(
  transaction: ChunkTransaction<Row>,
  batch: ArrangedRows<Row>,
  refused: Refused<Row>,
  { suspect: _suspect, ...refusal }: Refusal,
): Promise<BatchCounts> {
  const { rows, numbers, merged } = batch
  const together = merged.get(rows[0] as Row)
  if (together === undefined) {
    if (refused.waiting && refusal.sqlState === missingReference) refused.waiting.add(batch)
    else refused.rejections.add({ rowNumber: numbers[0] as number, ...definedOnly(refusal) })
    return nothing
  }
  // One bad row must not take the good ones of the same key with it.
  let counts = nothing
  for (const one of singles(together)) {
    counts = addCounts(counts, await writeOrIsolate(transaction, one, refused))
  }
  return counts
}

function definedOnly(refusal: Omit<Refusal, 'suspect'>): {
  reason: string
  sqlState?: string
  column?: string
  constraint?: string
} {
  const { reason, sqlState, column, constraint } = refusal
  return {
    reason,
    ...(sqlState === undefined ? {} : { sqlState }),
    ...(column === undefined ? {} : { column }),
    ...(constraint === undefined ? {} : { constraint }),
  }
}

function* split<Row>(
  batch: ArrangedRows<Row>,
  suspect: number | undefined,
  depth: number,
): Generator<ArrangedRows<Row>> {
  const cuts = cutsOf(batch.rows.length, suspect, depth)
  for (let i = 1; i < cuts.length; i += 1) {
    const [start, end] = [cuts[i - 1] as number, cuts[i] as number]
    if (start < end) yield slice(batch, start, end)
  }
}

/** Deep down there are many bad rows: what follows the suspect is halved too, or it would be sent once for each. */
function cutsOf(length: number, suspect: number | undefined, depth: number): number[] {
  if (suspect === undefined || suspect < 0 || suspect >= length) return [0, length >> 1, length]
  const rest = suspect + 1
  return depth < 3 ? [0, suspect, rest, length] : [0, suspect, rest, (rest + length) >> 1, length]
}

function slice<Row>(batch: ArrangedRows<Row>, start: number, end: number): ArrangedRows<Row> {
  return { ...batch, rows: batch.rows.slice(start, end), numbers: batch.numbers.slice(start, end) }
}

function singles<Row>({ rows, numbers }: NumberedRows<Row>): ArrangedRows<Row>[] {
  return rows.map((row, i) => ({
    rows: [row],
    numbers: [numbers[i] as number],
    merged: new Map(),
    distinct: true,
  }))
}

function withDuplicates<Row>(counts: WriteCounts, { rows, merged }: ArrangedRows<Row>): BatchCounts {
  let duplicates = 0
  if (merged.size > 0) for (const row of rows) duplicates += (merged.get(row)?.rows.length ?? 1) - 1
  return { ...counts, duplicates }
}

/**
 * Tries the waiting rows again, as long as that makes them fewer. `isLast` then rejects those whose reference is
 * still missing.
 */
export async function writeWaiting<Row>(
  transaction: ChunkTransaction<Row>,
  refused: Refused<Row> & { readonly waiting: WaitingRows<Row> },
  isLast: boolean,
): Promise<BatchCounts> {
  const { waiting, rejections } = refused
  let counts = nothing
  for (let before = Number.POSITIVE_INFINITY; waiting.size > 0 && waiting.size < before; ) {
    before = waiting.size
    counts = addCounts(counts, await writeOrIsolate(transaction, waiting.take(), refused))
  }
  if (!isLast || waiting.size === 0) return counts
  const rest = { rejections, waiting: undefined }
  return addCounts(counts, await writeOrIsolate(transaction, waiting.take(), rest))
}

export function addCounts(a: BatchCounts, b: BatchCounts): BatchCounts {
  return {
    inserted: a.inserted + b.inserted,
    updated: a.updated + b.updated,
    unchanged: a.unchanged + b.unchanged,
    duplicates: a.duplicates + b.duplicates,
  }
}
