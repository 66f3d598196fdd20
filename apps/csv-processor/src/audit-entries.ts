import type { NewAuditEntry } from '@stepwright/audit-log'
import type { CallLimits } from '@stepwright/batch-writer'
import { chunkName } from './chunk-ledger.ts'
import type { CsvBatch } from './csv-batch.ts'
import type { CsvProcessorPorts } from './ports.ts'
import { type ChunkFailure, rowOutcomes } from './row-outcomes.ts'

/** A batch, and what is to be said of those of its rows that the ledger does not know. */
export interface RecordedBatch {
  readonly executionId: string
  readonly batch: CsvBatch
  readonly attempt: number
  readonly timestamp: string
  readonly failure: ChunkFailure
}

/** One entry for every row of the batch, in order. */
export async function* toAuditEntries(
  { executionId, batch, attempt, timestamp, failure }: RecordedBatch,
  { ledger, storeOf }: Pick<CsvProcessorPorts, 'ledger' | 'storeOf'>,
  limits: CallLimits,
): AsyncGenerator<NewAuditEntry> {
  const { jobId } = batch.BatchInput
  for (const chunk of batch.Items) {
    const record = await ledger.find(jobId, chunkName(chunk.index), limits)
    const outcomes = rowOutcomes(batch, chunk, { record, failure }, { storeOf }, limits.signal)
    for await (const outcome of outcomes) {
      const processResult = outcome.logType === 'SUCCESS' && { reflected: true, jobId, chunk: chunk.index }
      yield { executionId, attempt, timestamp, ...outcome, ...(processResult && { processResult }) }
    }
  }
}
