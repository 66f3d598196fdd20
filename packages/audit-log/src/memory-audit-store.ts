import type { AuditStore, PackQuery } from './audit-store.ts'
import { firstItemOf, type PackHead, type PackRecord, toHead } from './pack/pack-record.ts'
import type { SealRecord } from './records.ts'

interface Execution {
  readonly packs: Map<string, PackRecord>
  readonly seals: Map<number, SealRecord>
}

/** Records in this process, for tests. */
export function createMemoryAuditStore(): AuditStore {
  const executions = new Map<string, Execution>()

  function execution(id: string): Execution {
    const found = executions.get(id) ?? { packs: new Map(), seals: new Map() }
    executions.set(id, found)
    return found
  }

  return {
    async putSeal(seal) {
      const { seals } = execution(seal.executionId)
      const { generation = 1 } = seal
      const stored = seals.get(generation) ?? structuredClone(seal)
      seals.set(generation, stored)
      return structuredClone(stored)
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
    async readSeal(executionId, generation = 1) {
      return structuredClone(execution(executionId).seals.get(generation))
    },
  }
}

function inOrder<T>(records: ReadonlyMap<string, T>): [string, T][] {
  return [...records].sort(([a], [b]) => (a < b ? -1 : 1))
}

function mayMatch(pack: PackHead, { itemIndex, logType, fromItem = 0, after = '' }: PackQuery): boolean {
  return (
    pack.packKey > after &&
    pack.lastItem >= Math.max(fromItem, itemIndex ?? 0) &&
    (itemIndex === undefined || firstItemOf(pack) <= itemIndex) &&
    (logType === undefined || pack.index.includes(logType))
  )
}
