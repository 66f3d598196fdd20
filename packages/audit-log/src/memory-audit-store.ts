import type { AuditStore, EntryQuery, PackQuery } from './audit-store.ts'
import { firstItemOf, type PackHead, type PackRecord, toHead } from './pack/pack-record.ts'
import { type BlockRecord, type EntryRecord, type SealRecord, toItemPrefix } from './records.ts'

interface Execution {
  readonly entries: Map<string, EntryRecord>
  readonly blocks: Map<string, BlockRecord>
  readonly packs: Map<string, PackRecord>
  seal?: SealRecord
}

/** Records in this process, for tests. */
export function createMemoryAuditStore(): AuditStore {
  const executions = new Map<string, Execution>()

  function execution(id: string): Execution {
    const found = executions.get(id) ?? { entries: new Map(), blocks: new Map(), packs: new Map() }
    executions.set(id, found)
    return found
  }

  return {
    async putEntries(entries) {
      for (const entry of entries) {
        const { entries: stored } = execution(entry.executionId)
        if (!stored.has(entry.entryKey)) stored.set(entry.entryKey, structuredClone(entry))
      }
    },
    async putBlock(block) {
      const { blocks } = execution(block.executionId)
      const key = `${block.writer}#${String(block.number).padStart(10, '0')}`
      const stored = blocks.get(key) ?? structuredClone(block)
      blocks.set(key, stored)
      return structuredClone(stored)
    },
    async putSeal(seal) {
      const found = execution(seal.executionId)
      found.seal ??= structuredClone(seal)
      return structuredClone(found.seal)
    },
    async *readEntries(query) {
      for (const [, entry] of inOrder(execution(query.executionId).entries)) {
        if (matches(entry, query)) yield structuredClone(entry)
      }
    },
    async *readEntryKeys(executionId, { fromItem = 0 } = {}) {
      const from = toItemPrefix(fromItem)
      for (const [key] of inOrder(execution(executionId).entries)) if (key >= from) yield key
    },
    async getEntries(executionId, entryKeys) {
      const { entries } = execution(executionId)
      return entryKeys.flatMap(key => structuredClone(entries.get(key)) ?? [])
    },
    async *readBlocks(executionId) {
      for (const [, block] of inOrder(execution(executionId).blocks)) yield structuredClone(block)
    },
    async putPack(pack) {
      const { packs } = execution(pack.executionId)
      const stored = packs.get(pack.packKey) ?? structuredClone(pack)
      packs.set(pack.packKey, stored)
      return toHead(stored)
    },
    async *readPacks(query) {
      for (const [, pack] of inOrder(execution(query.executionId).packs)) {
        if (mayMatch(pack, query)) yield structuredClone(pack)
      }
    },
    async *readPackHeads(query) {
      for (const [, pack] of inOrder(execution(query.executionId).packs)) {
        if (mayMatch(pack, query)) yield toHead(pack)
      }
    },
    async readSeal(executionId) {
      return structuredClone(execution(executionId).seal)
    },
  }
}

function inOrder<T>(records: ReadonlyMap<string, T>): [string, T][] {
  return [...records].sort(([a], [b]) => (a < b ? -1 : 1))
}

function matches(entry: EntryRecord, { itemIndex, logType }: EntryQuery): boolean {
  return (
    (itemIndex === undefined || entry.entryKey.startsWith(toItemPrefix(itemIndex))) &&
    (logType === undefined || entry.logType === logType)
  )
}

function mayMatch(pack: PackHead, { itemIndex, logType, fromItem = 0, after = '' }: PackQuery): boolean {
  return (
    pack.packKey > after &&
    pack.lastItem >= Math.max(fromItem, itemIndex ?? 0) &&
    (itemIndex === undefined || firstItemOf(pack) <= itemIndex) &&
    (logType === undefined || pack.index.includes(logType))
  )
}
