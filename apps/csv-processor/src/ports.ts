import type { RecordOutcomesPorts } from '@stepwright/audit-log/tasks'
import type { CsvBatch } from './csv-batch.ts'
import type { DataPorts } from './data-ports.ts'
import type { FailurePorts } from './handle-failure.ts'

/** What the tasks need; `functions/csv-processor.ts` binds them. */
export interface CsvProcessorPorts extends DataPorts, RecordOutcomesPorts<CsvBatch>, FailurePorts {}
