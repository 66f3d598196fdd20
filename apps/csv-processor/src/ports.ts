import type { RecordOutcomesPorts } from '@stepwright/audit-log/tasks'
import type { BatchWriter, ChunkLedger } from '@stepwright/batch-writer'
import type { ChunkReader } from '@stepwright/csv-chunker/tasks'
import type { ObjectStore } from '@stepwright/object-store'
import type { CsvBatch } from './csv-batch.ts'
import type { FailurePorts } from './handle-failure.ts'
import type { UserContribution } from './user-activity.ts'

/** What the tasks need of the world; `compose.ts` builds the real ones. */
export interface CsvProcessorPorts extends RecordOutcomesPorts<CsvBatch>, FailurePorts {
  readonly storeOf: (bucket: string | undefined) => ObjectStore
  readonly writer: BatchWriter<UserContribution>
  readonly ledger: Pick<ChunkLedger, 'find'>
  readonly readChunk: ChunkReader
}
