import { addChunkCounts, type ChunkLedger, noCounts } from './chunk-ledger.ts'
import type { ChunkKey, ChunkRecord } from './row-sink.ts'

/** By `recordKey`. */
export type MemoryRecords = Map<string, { readonly record: ChunkRecord; readonly completedAt: number }>

export function recordKey({ jobId, chunk }: ChunkKey): string {
  return JSON.stringify([jobId, chunk])
}

/** Reads what a memory sink has committed. `settled` waits for the transactions that are open now. */
export function createMemoryChunkLedger(records: MemoryRecords, settled: () => Promise<void>): ChunkLedger {
  return {
    async find(jobId, chunks, limits = {}) {
      limits.signal?.throwIfAborted()
      const find = (chunk: string): ChunkRecord | undefined =>
        records.get(recordKey({ jobId, chunk }))?.record
      if (chunks.some(chunk => find(chunk) === undefined)) await settled()
      return chunks.flatMap(chunk => find(chunk) ?? [])
    },
    async summarize(jobId, { maxRejectedRows = 100, signal } = {}) {
      signal?.throwIfAborted()
      const ofJob = [...records.values()].map(({ record }) => record).filter(record => record.jobId === jobId)
      const rejected = ofJob.flatMap(record => record.rejected)
      return {
        chunks: ofJob.length,
        counts: ofJob.reduce((sum, { counts }) => addChunkCounts(sum, counts), noCounts),
        rejected: rejected.toSorted((a, b) => a.rowNumber - b.rowNumber).slice(0, maxRejectedRows),
      }
    },
    async purge({ completedBefore, jobId, signal }) {
      signal?.throwIfAborted()
      const before = records.size
      for (const [key, { record, completedAt }] of records) {
        const isMeant = jobId === undefined || record.jobId === jobId
        if (isMeant && completedAt < completedBefore.getTime()) records.delete(key)
      }
      return { deleted: before - records.size, done: true }
    },
  }
}
