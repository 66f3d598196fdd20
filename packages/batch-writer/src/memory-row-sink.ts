import type { ChunkLedger } from './chunk-ledger.ts'
import { type Conflict, changedColumns, isKeyed } from './conflict.ts'
import { createMemoryChunkLedger, type MemoryRecords, recordKey } from './memory-chunk-ledger.ts'
import {
  type ChunkClaim,
  type ChunkRecord,
  type ChunkTransaction,
  outsideScope,
  type Refusal,
  RefusedBatchError,
  type RowSink,
  type Scope,
  type ScopeValue,
  type WriteCounts,
} from './row-sink.ts'

export interface MemoryRowSinkOptions<Row> {
  /** @default { mode: 'insert' } */
  readonly conflict?: Conflict<keyof Row & string>
  /** What a row must not share with another, for modes without a key of their own. */
  readonly unique?: readonly (keyof Row & string)[]
  /** Why a row is refused, as a constraint would say it; undefined if it is fine. */
  readonly refuse?: (row: Row) => Refusal | undefined
  /** @default Date.now */
  readonly now?: () => number
}

export interface MemoryRowSink<Row> extends RowSink<Row> {
  /** What the sink has committed, to be read as an app reads it. */
  readonly ledger: ChunkLedger
  rows(): readonly Row[]
  records(): readonly ChunkRecord[]
}

/** A sink for unit tests, with the same promises as the database's: one transaction after the other. */
export function createMemoryRowSink<Row extends object>({
  conflict = { mode: 'insert' },
  unique = [],
  refuse = () => undefined,
  now = Date.now,
}: MemoryRowSinkOptions<Row> = {}): MemoryRowSink<Row> {
  const keyColumns: readonly string[] = isKeyed(conflict) ? conflict.key : unique
  const records: MemoryRecords = new Map()
  const cleared = new Map<string, number>()
  let table: ReadonlyMap<string, Row> = new Map()
  let serial = 0
  let turn: Promise<void> = Promise.resolve()

  function keyOf(row: Row): string {
    const parts = keyColumns.map(column => fieldsOf(row)[column])
    // Like NULL in a unique index, a missing part makes the row unlike any other.
    if (parts.length > 0 && parts.every(part => part !== null && part !== undefined)) {
      return JSON.stringify(parts.map(part => (typeof part === 'object' ? part : String(part))))
    }
    serial += 1
    return `#${serial}`
  }

  function writeInto(draft: Map<string, Row>, rows: readonly Row[], scope: Scope | undefined): WriteCounts {
    const counts = { inserted: 0, updated: 0, unchanged: 0 }
    for (const [suspect, row] of rows.entries()) {
      const refusal = scope && !isInScope(row, scope) ? outsideScope : refuse(row)
      if (refusal) throw new RefusedBatchError({ ...refusal, suspect })
      const key = keyOf(row)
      const stored = draft.get(key)
      if (stored === undefined) {
        draft.set(key, row)
        counts.inserted += 1
      } else if (isKeyed(conflict)) {
        const merged = resolve(stored, row)
        draft.set(key, merged)
        counts[merged === stored ? 'unchanged' : 'updated'] += 1
      } else {
        const reason = `another row has the same ${keyColumns.join(', ')}`
        throw new RefusedBatchError({ reason, sqlState: '23505', column: keyColumns.join(', '), suspect })
      }
    }
    return counts
  }

  function resolve(stored: Row, row: Row): Row {
    if (!isKeyed(conflict)) return stored
    const { update, increment, newest } = changedColumns(conflict)
    const [before, given] = [fieldsOf(stored), fieldsOf(row)]
    if (isOlder(given, before, newest)) return stored
    const changes: Record<string, unknown> = {}
    for (const column of update) if (before[column] !== given[column]) changes[column] = given[column]
    for (const column of increment) {
      if (given[column]) changes[column] = Number(before[column] ?? 0) + Number(given[column])
    }
    return Object.keys(changes).length > 0 ? { ...stored, ...changes } : stored
  }

  function open(claim: ChunkClaim, leave: () => void, scope: Scope | undefined): ChunkTransaction<Row> {
    let draft = new Map(table)
    return {
      async write(rows) {
        const next = new Map(draft)
        const counts = writeInto(next, rows, scope)
        draft = next
        return counts
      },
      async commit({ counts, rejected }) {
        table = draft
        const { jobId, chunk, checksum, attempt } = claim
        const record = { jobId, chunk, checksum, attempt, counts, rejected }
        records.set(recordKey(claim), { record, completedAt: now() })
        leave()
      },
      async rollback() {
        leave()
      },
    }
  }
  return {
    conflict,
    rows: () => [...table.values()],
    records: () => [...records.values()].map(({ record }) => record),
    ledger: createMemoryChunkLedger(records, () => turn),
    async begin(claim, { signal }, scope) {
      signal.throwIfAborted()
      const { promise: mine, resolve: leave } = Promise.withResolvers<void>()
      const before = turn
      turn = before.then(() => mine)
      await before
      const recorded = records.get(recordKey(claim))
      if (!recorded) return open(claim, leave, scope)
      leave()
      return recorded.record
    },
    async clearScope(jobId, scope) {
      const key = JSON.stringify([jobId, scope])
      await turn
      const before = cleared.get(key)
      if (before !== undefined) return before
      const kept = [...table].filter(([, row]) => !isInScope(row, scope))
      const deleted = table.size - kept.length
      cleared.set(key, deleted)
      table = new Map(kept)
      return deleted
    },
  }
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(row: object): Fields {
  return row as Fields
}

/** By the first of the columns that differs; what has no age is as new as anything. */
function isOlder(given: Fields, stored: Fields, columns: readonly string[]): boolean {
  const column = columns.find(name => given[name] !== stored[name])
  if (column === undefined) return false
  const [a, b] = [given[column], stored[column]]
  return a !== null && a !== undefined && b !== null && b !== undefined && a < b
}

function isInScope(row: object, scope: Scope): boolean {
  return Object.entries(scope).every(([column, value]) => {
    const stored = fieldsOf(row)[column]
    return typeof value === 'object' ? isBelow(stored, value.below) : String(stored) === String(value)
  })
}

function isBelow(stored: unknown, limit: ScopeValue): boolean {
  return stored !== null && stored !== undefined && (stored as ScopeValue) < limit
}
