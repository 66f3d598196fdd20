import type { AuditLog } from '@stepwright/audit-log'
import type { BatchWriter } from '@stepwright/batch-writer'
import type { ObjectStore } from '@stepwright/object-store'
import type { ChunkLedger } from './chunk-ledger.ts'
import type { UserActivity } from './user-activity.ts'

/** What the tasks need of the world; `compose.ts` builds the real ones. */
export interface CsvProcessorPorts {
  readonly storeOf: (bucket: string | undefined) => ObjectStore
  readonly writer: BatchWriter<UserActivity>
  readonly ledger: ChunkLedger
  readonly audit: AuditLog
}
