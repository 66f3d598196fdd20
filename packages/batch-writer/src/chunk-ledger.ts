import type { CallLimits } from './call-limits.ts'
import type { ChunkCounts, ChunkRecord, RejectedRow } from './row-sink.ts'

/**
 * What was committed together with the rows: the truth about them, to be read. `testChunkLedger` in `./testing`
 * holds an adapter to the promises made here.
 */
export interface ChunkLedger {
  /**
   * The records of those of the chunks that were committed, in the order asked for. Waits while somebody is writing
   * one of them, so that a chunk which is not found was not written, nor will be by a call that runs now.
   */
  find(
    jobId: string,
    chunks: readonly string[],
    limits?: Partial<CallLimits>,
  ): Promise<readonly ChunkRecord[]>
  /** All committed chunks of a job together. Waits for nobody. */
  summarize(jobId: string, options?: SummarizeOptions): Promise<LedgerSummary>
  /**
   * Forgets records, in bounded transactions and as long as the time allows. A chunk that is forgotten would be
   * written again if it were delivered again.
   */
  purge(options: PurgeOptions): Promise<PurgeResult>
}

export interface SummarizeOptions extends Partial<CallLimits> {
  /** How many of the rejected rows are named. @default 100 */
  readonly maxRejectedRows?: number
}

export interface LedgerSummary {
  /** How many chunks were committed. */
  readonly chunks: number
  readonly counts: ChunkCounts
  /** The first of them, by their numbers. */
  readonly rejected: readonly RejectedRow[]
}

export interface PurgeOptions extends Partial<CallLimits> {
  readonly completedBefore: Date
  /** Of this job only. @default all jobs */
  readonly jobId?: string
}

export interface PurgeResult {
  readonly deleted: number
  /** False if the time was over before everything was deleted. */
  readonly done: boolean
}

export const noCounts: ChunkCounts = {
  received: 0,
  inserted: 0,
  updated: 0,
  unchanged: 0,
  duplicates: 0,
  rejected: 0,
}

export function addChunkCounts(a: ChunkCounts, b: ChunkCounts): ChunkCounts {
  return {
    received: a.received + b.received,
    inserted: a.inserted + b.inserted,
    updated: a.updated + b.updated,
    unchanged: a.unchanged + b.unchanged,
    duplicates: a.duplicates + b.duplicates,
    rejected: a.rejected + b.rejected,
  }
}
