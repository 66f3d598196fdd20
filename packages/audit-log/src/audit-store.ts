import type { LogType } from './audit-entry.ts'
import type { PackHead, PackRecord } from './pack/pack-record.ts'
import type { SealRecord } from './records.ts'

/**
 * Where seals are kept: with the records, or better where those who write records cannot write. It can add and
 * read; nothing in it changes or deletes.
 */
export interface SealStore {
  /** Adds the seal unless the execution has one of its generation; returns the one that is stored then. */
  putSeal(seal: SealRecord): Promise<SealRecord>
  /** @param generation from 1 @default 1 */
  readSeal(executionId: string, generation?: number): Promise<SealRecord | undefined>
}

/** Where the records are kept. It can add and read; nothing in it changes or deletes. */
export interface AuditStore extends SealStore {
  /** Adds a block that holds its entries, unless its key is taken; returns what is stored under it then. */
  putPack(pack: PackRecord): Promise<PackHead>
  /** In the order of their keys; perhaps others, too, than those that have such entries. */
  readPacks(query: PackQuery): AsyncIterable<PackRecord>
  /** The same without their entries. */
  readPackHeads(query: PackQuery): AsyncIterable<PackHead>
}

export interface PackQuery extends EntryQuery {
  /** Only blocks that have an item from this one on. */
  readonly fromItem?: number | undefined
  /** Only blocks whose keys come after this one. */
  readonly after?: string | undefined
}

export interface EntryQuery {
  readonly executionId: string
  readonly itemIndex?: number | undefined
  readonly logType?: LogType | undefined
}
