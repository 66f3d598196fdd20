import type { BatchWriter, ChunkLedger } from '@stepwright/batch-writer'
import type { ChunkReader } from '@stepwright/csv-chunker/tasks'
import type { ObjectStore } from '@stepwright/object-store'
import type { CompletedUploads } from './completed-uploads.ts'
import type { UserContribution } from './user-activity.ts'

/** Where files and rows are. */
export interface DataPorts {
  readonly storeOf: (bucket: string | undefined) => Pick<ObjectStore, 'head' | 'get' | 'put' | 'upload'>
  readonly writer: BatchWriter<UserContribution>
  readonly uploads: CompletedUploads
  readonly ledger: Pick<ChunkLedger, 'find'>
  readonly readChunk: ChunkReader
}
