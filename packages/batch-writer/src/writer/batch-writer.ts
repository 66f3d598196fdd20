import { ConflictError, ValidationError } from '@stepwright/errors'
import {
  aFunction,
  anything,
  assertOptions,
  numberFrom,
  type OptionChecks,
  wholeFrom,
} from '@stepwright/errors/options'
import { sleep as defaultSleep } from '@stepwright/errors/retry'
import { type CallLimits, toLimits } from '../call-limits.ts'
import { isKeyed } from '../conflict.ts'
import { textKeys } from '../key-form.ts'
import type {
  ChunkClaim,
  ChunkCounts,
  ChunkKey,
  ChunkRecord,
  ChunkTransaction,
  RowSink,
  Scope,
} from '../row-sink.ts'
import type { ArrangedRows } from './arrange.ts'
import { addCounts, type BatchCounts, nothing, writeOrIsolate, writeWaiting } from './isolate.ts'
import {
  type BatchReader,
  createBatchReader,
  type RecordSource,
  type RowOrder,
  type ToRow,
} from './read-batches.ts'
import { createRejections, type RejectionLimit, type Rejections } from './rejections.ts'
import { type AttemptRetry, isDeadlock, type RetryOptions, retryTransient } from './retry-transient.ts'
import { createWaitingRows } from './waiting-rows.ts'

export interface BatchWriterOptions<Row> extends Partial<RejectionLimit>, Partial<RetryOptions> {
  readonly sink: RowSink<Row>
  /** Rows per statement, and per progress callback. @default 1000 */
  readonly batchSize?: number
  /** About so many bytes of text end a batch early, whatever its rows. @default 16777216 */
  readonly maxBatchBytes?: number
  /**
   * Up to this many rows of a chunk are held to be sorted by key; after a deadlock as many as `maxBatchBytes` allows.
   * @default 10000
   */
  readonly sortWindow?: number
}

/** A chunk to be written once. */
export interface ChunkInput<Row, Item = Row> extends ChunkKey, Partial<CallLimits> {
  /** Of the manifest entry, see `checksumOf`: another one under the same key is a `ConflictError`. */
  readonly checksum: string
  readonly records: RecordSource<Item>
  /** @default the record as it is */
  readonly toRow?: ToRow<Item, Row>
  /** The number of the first row, where `records` does not say it. @default 1 */
  readonly firstRowNumber?: number
  /** Attempts that others made before, for the ledger: a state machine's retry count. @default 0 */
  readonly earlierAttempts?: number
  /** What is replaced, for a sink whose conflict mode is `replace`. */
  readonly scope?: Scope
  readonly onProgress?: (progress: ChunkProgress) => void | Promise<void>
  /** Hears of passing trouble, such as a lost connection, before the chunk is tried again. */
  readonly onRetry?: (retry: AttemptRetry) => void
}

/** After every batch. The rows are written but not yet committed. */
export interface ChunkProgress extends ChunkKey {
  readonly counts: ChunkCounts
}

export interface ChunkResult extends ChunkRecord {
  /** `recorded` when another delivery had written the chunk: the counts are that one's. */
  readonly status: 'written' | 'recorded'
}

export interface BatchWriter<Row> {
  /** Writes the chunk and its ledger entry in one transaction, or returns what the ledger says about it. */
  write<Item = Row>(chunk: ChunkInput<Row, Item>): Promise<ChunkResult>
  /** Deletes the scope's rows once per job; `write` does it too, in conflict mode `replace`. */
  clearScope(
    jobId: string,
    scope: Scope,
    options?: Partial<CallLimits> & Pick<ChunkInput<Row>, 'onRetry'>,
  ): Promise<number>
}

const optionChecks: OptionChecks = {
  sink: anything,
  batchSize: wholeFrom(1),
  maxBatchBytes: wholeFrom(1),
  sortWindow: wholeFrom(1),
  maxRejected: wholeFrom(0),
  maxRejectedPercent: numberFrom(0, 100),
  retryForMs: numberFrom(0),
  now: aFunction,
  sleep: aFunction,
  random: aFunction,
}

/** Writes chunks of rows into a sink: exactly once, refused rows set apart, passing trouble retried. */
export function createBatchWriter<Row extends object>(options: BatchWriterOptions<Row>): BatchWriter<Row> {
  assertOptions('createBatchWriter', options, optionChecks)
  const { sink, batchSize = 1000, maxBatchBytes = 16 * 1024 * 1024, sortWindow = 10_000 } = options
  const { maxRejected = 1000, maxRejectedPercent = 100, retryForMs = 30_000 } = options
  const { now = Date.now, sleep = defaultSleep, random = Math.random } = options
  const retry = { retryForMs, now, sleep, random }
  const limit = { maxRejected, maxRejectedPercent }
  // After a deadlock, chunks are sorted whole, as far as `maxBatchBytes` allows, so that there is no second one.
  let overlaps = false

  async function write<Item>(chunk: ChunkInput<Row, Item>): Promise<ChunkResult> {
    assertChunk(chunk, sink)
    const limits = toLimits(chunk)
    return retryTransient(
      async count => {
        if (chunk.scope) await sink.clearScope(chunk.jobId, chunk.scope, limits)
        return writeOnce(chunk, (chunk.earlierAttempts ?? 0) + count, limits)
      },
      limits,
      retry,
      attempt => {
        if (isDeadlock(attempt.error)) overlaps = true
        chunk.onRetry?.(attempt)
      },
    )
  }

  async function writeOnce<Item>(
    chunk: ChunkInput<Row, Item>,
    attempt: number,
    limits: CallLimits,
  ): Promise<ChunkResult> {
    const { jobId, chunk: key, checksum } = chunk
    const claim = { jobId, chunk: key, checksum, attempt }
    const opening = sink.begin(claim, limits, chunk.scope)
    const rejections = createRejections(`${jobId}/${key}`, limit)
    const reader = createBatchReader<Item, Row>({
      records: chunk.records,
      toRow: chunk.toRow ?? (record => record as unknown as Row),
      conflict: sink.conflict,
      order: opening.then(orderOf, () => unsorted),
      batchSize,
      sortWindow: overlaps ? Number.MAX_SAFE_INTEGER : sortWindow,
      maxBatchBytes,
      firstRowNumber: chunk.firstRowNumber ?? 1,
      rejections,
    })
    // The first records come while the sink opens its transaction.
    reader.start()
    try {
      const opened = await opening
      if (!('commit' in opened)) return recorded(claim, opened)
      try {
        const record = await writeRows(opened, chunk, { reader, rejections, signal: limits.signal })
        await opened.commit(record)
        return { ...claim, ...record, status: 'written' }
      } finally {
        await opened.rollback()
      }
    } finally {
      await reader.close()
    }
  }

  async function writeRows<Item>(
    transaction: ChunkTransaction<Row>,
    chunk: ChunkInput<Row, Item>,
    { reader, rejections, signal }: Reading<Row>,
  ): Promise<Pick<ChunkRecord, 'counts' | 'rejected'>> {
    let written = nothing
    const { columns, keyForms } = orderOf(transaction)
    const key = isKeyed(sink.conflict) ? sink.conflict.key : columns
    const refused = { rejections, waiting: createWaitingRows<Row>(key, keyForms) }
    async function retryWaiting(isLast: boolean): Promise<void> {
      written = addCounts(written, await writeWaiting(transaction, refused, isLast))
    }
    async function writeBatch(batch: ArrangedRows<Row>): Promise<void> {
      written = addCounts(written, await writeOrIsolate(transaction, batch, refused))
      // No more rows wait than may be rejected in the end.
      if (refused.waiting.size > maxRejected) await retryWaiting(false)
      if (refused.waiting.size > maxRejected) await retryWaiting(true)
      const counts = toChunkCounts(written, rejections.rows.length)
      await chunk.onProgress?.({ jobId: chunk.jobId, chunk: chunk.chunk, counts })
    }
    let writing: Promise<void> = Promise.resolve()
    try {
      for (let batch = await reader.next(); batch; batch = await reader.next()) {
        signal.throwIfAborted()
        // A batch is read while the one before it is being written.
        await writing
        writing = writeBatch(batch)
        // Whoever awaits it hears of its failure; until then it is not unhandled.
        writing.catch(() => {})
      }
    } finally {
      await writing
    }
    await retryWaiting(true)
    rejections.assertShare(reader.received())
    const counts = toChunkCounts(written, rejections.rows.length)
    if (counts.received !== reader.received()) {
      throw new Error(`${reader.received()} rows were read but the sink accounts for ${counts.received}`)
    }
    return { counts, rejected: rejections.rows.toSorted((a, b) => a.rowNumber - b.rowNumber) }
  }

  return {
    write,
    async clearScope(jobId, scope, given = {}) {
      assertName('jobId', jobId)
      const limits = toLimits(given)
      return retryTransient(() => sink.clearScope(jobId, scope, limits), limits, retry, given.onRetry)
    },
  }
}

interface Reading<Row> {
  readonly reader: BatchReader<Row>
  readonly rejections: Rejections
  readonly signal: AbortSignal
}

const unsorted: RowOrder = { columns: [], keyForms: textKeys }

function orderOf<Row>(opened: ChunkTransaction<Row> | ChunkRecord): RowOrder {
  if (!('commit' in opened)) return unsorted
  return { columns: opened.order ?? [], keyForms: opened.keyForms ?? textKeys }
}

function recorded(claim: ChunkClaim, record: ChunkRecord): ChunkResult {
  if (record.checksum === claim.checksum) return { ...record, status: 'recorded' }
  throw new ConflictError(
    `chunk ${claim.jobId}/${claim.chunk} was written from another manifest entry; give changed data a new job`,
    { code: 'CHUNK_CHANGED', details: { recorded: record.checksum, given: claim.checksum } },
  )
}

function toChunkCounts(written: BatchCounts, rejected: number): ChunkCounts {
  const { inserted, updated, unchanged, duplicates } = written
  const received = inserted + updated + unchanged + duplicates + rejected
  return { received, inserted, updated, unchanged, duplicates, rejected }
}

function assertChunk<Row, Item>(chunk: ChunkInput<Row, Item>, { conflict }: RowSink<Row>): void {
  for (const name of ['jobId', 'chunk', 'checksum'] as const) assertName(`${name} of a chunk`, chunk[name])
  if ((conflict.mode === 'replace') !== (chunk.scope !== undefined)) {
    throw new ValidationError(
      `chunk ${chunk.jobId}/${chunk.chunk}: conflict mode "replace" and a scope go together`,
    )
  }
}

/** Two texts that become the same in the database would be one chunk to it. */
function assertName(name: string, value: string): void {
  if (value !== '' && !value.includes('\u0000') && value.isWellFormed()) return
  throw new ValidationError(
    `the ${name} must be a text that is not empty and has neither a NUL nor half a surrogate pair`,
  )
}
