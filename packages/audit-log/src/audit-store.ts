import type { LogType } from './audit-entry.ts'
import type { BlockRecord, EntryRecord, SealRecord } from './records.ts'

/**
 * Where seals are kept: with the records, or better where those who write records cannot write. It can add and
 * read; nothing in it changes or deletes.
 */
export interface SealStore {
  /** Adds the seal unless the execution has one; returns the one that is stored then. */
  putSeal(seal: SealRecord): Promise<SealRecord>
  readSeal(executionId: string): Promise<SealRecord | undefined>
}

/** Where the records are kept. It can add and read; nothing in it changes or deletes. */
export interface AuditStore extends SealStore {
  /** Adds entries. One that is stored already stays as it is: equal keys mean equal entries. */
  putEntries(entries: readonly EntryRecord[]): Promise<void>
  /** Adds the block unless its chain has one of that number; returns the one that is stored then. */
  putBlock(block: BlockRecord): Promise<BlockRecord>
  /** In the order of their keys. */
  readEntries(query: EntryQuery): AsyncIterable<EntryRecord>
  /** The keys alone, of all entries of an execution, from an item on; in order. */
  readEntryKeys(
    executionId: string,
    options?: { readonly fromItem?: number | undefined },
  ): AsyncIterable<string>
  /** Those that exist, in any order. */
  getEntries(executionId: string, entryKeys: readonly string[]): Promise<readonly EntryRecord[]>
  /** By writer, then by number. */
  readBlocks(executionId: string): AsyncIterable<BlockRecord>
}

export interface EntryQuery {
  readonly executionId: string
  readonly itemIndex?: number | undefined
  readonly logType?: LogType | undefined
}
