import type { CallLimits, ChunkRecord, RowSink } from '@stepwright/batch-writer'
import { DatabaseConnectionError, isTaskError, TemporaryError } from '@stepwright/errors'

/** What was committed together with a chunk's rows: the truth about them. */
export interface ChunkLedger {
  /** Waits while somebody is writing the chunk; undefined if it was never committed. */
  find(jobId: string, chunk: string, limits: CallLimits): Promise<ChunkRecord | undefined>
}

/** Asks the sink for the chunk as a writer would, and lets go of it again. */
export function createChunkLedger<Row>(sink: RowSink<Row>): ChunkLedger {
  return {
    async find(jobId, chunk, limits) {
      const opened = await sink.begin({ jobId, chunk, checksum: 'asked', attempt: 1 }, limits)
      if (!('commit' in opened)) return opened
      await opened.rollback()
      return undefined
    },
  }
}

/** Chunks are named so that they sort as they lie in the file. */
export function chunkName(index: number): string {
  return String(index).padStart(6, '0')
}

/** Takes a database that cannot be asked for one that knows nothing, where something has to be said in any case. */
export function tolerantLedger(ledger: ChunkLedger): ChunkLedger {
  return {
    async find(...chunk) {
      try {
        return await ledger.find(...chunk)
      } catch (error) {
        const isTrouble = isTaskError(error, DatabaseConnectionError) || isTaskError(error, TemporaryError)
        if (!isTrouble) throw error
        return undefined
      }
    },
  }
}
