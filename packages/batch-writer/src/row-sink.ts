import type { CallLimits } from './call-limits.ts'
import type { Conflict } from './conflict.ts'
import type { KeyForms } from './key-form.ts'

/** A chunk is written once per job and key, whoever delivers it and how often. */
export interface ChunkKey {
  readonly jobId: string
  readonly chunk: string
}

export interface ChunkClaim extends ChunkKey {
  /** Of the manifest entry: another one under the same key is a conflict. */
  readonly checksum: string
  /** Which try this is, from 1. */
  readonly attempt: number
}

/** How many rows met which fate. `received` is the sum of all others. */
export interface ChunkCounts {
  readonly received: number
  readonly inserted: number
  readonly updated: number
  /** The key was stored already and nothing was to change, or a trigger of the table skipped the row. */
  readonly unchanged: number
  /** Merged into another row of the same key and chunk. */
  readonly duplicates: number
  readonly rejected: number
}

/** What the sink did with a batch. */
export type WriteCounts = Pick<ChunkCounts, 'inserted' | 'updated' | 'unchanged'>

/** A row that was not written, and why. */
export interface RejectedRow {
  /** In the original file, from 1. */
  readonly rowNumber: number
  readonly reason: string
  readonly sqlState?: string
  readonly column?: string
  readonly constraint?: string
}

/** The ledger's entry: what was committed together with the chunk's rows. */
export interface ChunkRecord extends ChunkClaim {
  readonly counts: ChunkCounts
  readonly rejected: readonly RejectedRow[]
}

/** Which rows a job replaces: by column a value, or what all values are below. */
export type Scope = Readonly<Record<string, ScopeValue | { readonly below: ScopeValue }>>

export type ScopeValue = string | number | bigint | boolean

/**
 * Where rows go. `testRowSink` in `./testing` holds an adapter to the promises made here.
 * Failures that pass are `DatabaseConnectionError` or `TemporaryError`; a batch that is refused because of its
 * data is a `RefusedBatchError`.
 */
export interface RowSink<Row> {
  readonly conflict: Conflict
  /**
   * Opens the transaction that a chunk is written in, and claims the chunk in it. Waits while another
   * transaction holds the claim; resolves to the record if that one, or any before, was committed. Rows outside the
   * scope, if there is one, are refused: the job could not replace them.
   */
  begin(claim: ChunkClaim, limits: CallLimits, scope?: Scope): Promise<ChunkTransaction<Row> | ChunkRecord>
  /**
   * Deletes the scope's rows in bounded batches, once per job: a second call deletes nothing, also while the
   * first is at work. Resolves to how many rows were deleted in all.
   */
  clearScope(jobId: string, scope: Scope, limits: CallLimits): Promise<number>
}

export interface ChunkTransaction<Row> {
  /** The columns that rows are best sorted by, where the conflict mode has no key. */
  readonly order?: readonly string[]
  /** What equal keys have in common, however they are spelled. @default values of the same text are equal */
  readonly keyForms?: KeyForms
  /**
   * Writes the rows whole or not at all; a refused batch leaves the transaction usable. Rows of which two may have
   * the same key (`distinct: false`) are written in their order, or refused.
   */
  write(rows: readonly Row[], options?: { readonly distinct?: boolean }): Promise<WriteCounts>
  /** Commits the rows and the record of them, together. */
  commit(record: Pick<ChunkRecord, 'counts' | 'rejected'>): Promise<void>
  /** Never throws. Does nothing after a commit. */
  rollback(): Promise<void>
}

export interface Refusal {
  readonly reason: string
  readonly sqlState?: string | undefined
  readonly column?: string | undefined
  readonly constraint?: string | undefined
  /** Which row of the batch it probably was. */
  readonly suspect?: number | undefined
}

/** Of a row that another run of the job would not replace. */
export const outsideScope: Refusal = { reason: 'the row is outside the scope that is replaced' }

/** A batch that the sink refused because of its data. Stays inside: callers see rejected rows. */
export class RefusedBatchError extends Error {
  override readonly name = 'RefusedBatchError'
  readonly refusal: Refusal

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.reason, options)
    this.refusal = refusal
  }
}
