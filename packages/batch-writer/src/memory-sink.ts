import { type Conflict, changedColumns, isKeyed } from './conflict.ts'
import {
  type ChunkClaim,
  type ChunkRecord,
  type ChunkTransaction,
  type Refusal,
  RefusedBatchError,
  type RowSink,
  type Scope,
  type WriteCounts,
} from './row-sink.ts'

export interface MemorySinkOptions<Row> {
  /** @default { mode: 'insert' } */
  readonly conflict?: Conflict<keyof Row & string>
  /** What a row must not share with another, for modes without a key of their own. */
  readonly unique?: readonly (keyof Row & string)[]
  /** Why a row is refused, as a constraint would say it; undefined if it is fine. */
  readonly refuse?: (row: Row) => Refusal | undefined
}

export interface MemorySink<Row> extends RowSink<Row> {
  rows(): readonly Row[]
  records(): readonly ChunkRecord[]
}

/** A sink for unit tests, with the same promises as the database's: one transaction after the other. */
export function createMemorySink<Row extends object>({
  conflict = { mode: 'insert' },
  unique = [],
  refuse = () => undefined,
}: MemorySinkOptions<Row> = {}): MemorySink<Row> {
  const keyColumns: readonly string[] = isKeyed(conflict) ? conflict.key : unique
  const records = new Map<string, ChunkRecord>()
  const cleared = new Map<string, number>()
  let table: ReadonlyMap<string, Row> = new Map()
  let serial = 0
  let turn: Promise<void> = Promise.resolve()

  function keyOf(row: Row): string {
    const parts = keyColumns.map(column => fieldsOf(row)[column])
    // Like NULL in a unique index, a missing part makes the row unlike any other.
    if (parts.length > 0 && parts.every(part => part !== null && part !== undefined)) {
      return JSON.stringify(parts.map(String))
    }
    serial += 1
    return `#${serial}`
  }

  function writeInto(draft: Map<string, Row>, rows: readonly Row[]): WriteCounts {
    const counts = { inserted: 0, updated: 0, unchanged: 0 }
    for (const [suspect, row] of rows.entries()) {
      const refusal = refuse(row)
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
    const { update, increment } = isKeyed(conflict) ? changedColumns(conflict) : { update: [], increment: [] }
    const [before, given] = [fieldsOf(stored), fieldsOf(row)]
    const changes: Record<string, unknown> = {}
    for (const column of update) if (before[column] !== given[column]) changes[column] = given[column]
    for (const column of increment) {
      if (given[column]) changes[column] = Number(before[column] ?? 0) + Number(given[column])
    }
    return Object.keys(changes).length > 0 ? { ...stored, ...changes } : stored
  }

  function open(claim: ChunkClaim, leave: () => void): ChunkTransaction<Row> {
    let draft = new Map(table)
    return {
      async write(rows) {
        const next = new Map(draft)
        const counts = writeInto(next, rows)
        draft = next
        return counts
      },
      async commit({ counts, rejected }) {
        table = draft
        const { job, chunk, checksum, attempt } = claim
        records.set(recordKey(claim), { job, chunk, checksum, attempt, counts, rejected })
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
    records: () => [...records.values()],
    async begin(claim, { signal }) {
      signal.throwIfAborted()
      const { promise: mine, resolve: leave } = Promise.withResolvers<void>()
      const before = turn
      turn = before.then(() => mine)
      await before
      const record = records.get(recordKey(claim))
      if (!record) return open(claim, leave)
      leave()
      return record
    },
    async clearScope(job, scope) {
      const key = JSON.stringify([job, scope])
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

function recordKey({ job, chunk }: Pick<ChunkClaim, 'job' | 'chunk'>): string {
  return JSON.stringify([job, chunk])
}

function fieldsOf(row: object): Readonly<Record<string, unknown>> {
  return row as Readonly<Record<string, unknown>>
}

function isInScope(row: object, scope: Scope): boolean {
  return Object.entries(scope).every(([column, value]) => String(fieldsOf(row)[column]) === String(value))
}
