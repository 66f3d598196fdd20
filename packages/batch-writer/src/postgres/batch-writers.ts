import { type Conflict, isKeyed } from '../conflict.ts'
import { RefusedBatchError, type WriteCounts } from '../row-sink.ts'
import { type CopyEncoder, copySql } from './copy-data.ts'
import { amongAll, createCopyWays, type Rows, type Send } from './copy-ways.ts'
import { type Answer, countOf, sendStatement } from './exchange.ts'
import type { Probed, Way } from './fast-path.ts'
import { type Fate, position, probeColumns, probeSql } from './probe.ts'
import { isUniqueViolation } from './refusal.ts'
import { type RowParameters, toRowParameters } from './row-parameters.ts'
import type { Savepoints } from './savepoints.ts'
import type { Session } from './session.ts'
import type { SpareBuffers } from './spare-buffers.ts'
import type { Table } from './table.ts'
import { upsertSql } from './upsert-sql.ts'

/** Writes a batch whole, or throws a `RefusedBatchError` and leaves nothing of it. */
export type WriteBatch = (rows: Rows) => Promise<WriteCounts>

export interface BatchWritersOptions {
  readonly session: Session
  readonly savepoints: Savepoints
  readonly table: Table
  readonly conflict: Conflict
  readonly encoder: CopyEncoder
  readonly spare: SpareBuffers
  /** Hears what the lookup of a batch found. */
  readonly onProbe: (found: Probed) => void
}

const stageTable = 'pg_temp.stepwright_stage'

/** The ways of a batch into the table. */
export function createBatchWriters(options: BatchWritersOptions): Readonly<Record<Way, WriteBatch>> {
  const { session, savepoints, table, conflict, encoder, spare, onProbe } = options
  const { columns } = table
  const names = columns.map(column => column.quoted).join(', ')
  const { copy, scout, copyInto } = createCopyWays({ savepoints, table, encoder })
  let staged = false

  async function unnest(rows: Rows, send: Send = savepoints.open): Promise<WriteCounts> {
    try {
      const parameters = toRowParameters(rows, columns, { spare })
      const answer = await execute(upsertSql(table, conflict, parameters.source), parameters, send)
      return toWriteCounts(answer, rows.length)
    } catch (error) {
      const isUnplaced = error instanceof RefusedBatchError && error.refusal.column === undefined
      if (!isUnplaced || rows.length > 1 || !table.takesCopy) throw error
      throw new RefusedBatchError({ ...error.refusal, column: await columnOf(rows) }, { cause: error.cause })
    }
  }

  /** Only COPY says which column a value does not fit; a row that it takes is taken back. */
  async function columnOf(row: Rows): Promise<string | undefined> {
    try {
      await copy(row)
      return undefined
    } catch (error) {
      if (error instanceof RefusedBatchError) return error.refusal.column
      throw error
    } finally {
      savepoints.undo()
    }
  }

  async function stage(rows: Rows): Promise<WriteCounts> {
    if (!staged) {
      const create = `CREATE TEMPORARY TABLE stepwright_stage ON COMMIT DROP AS SELECT ${names} FROM ${table.name} LIMIT 0`
      await session.query([...savepoints.takeEnd(), create].join(';'))
      staged = true
    }
    const answer = await copyInto(rows, format => [
      `TRUNCATE ${stageTable}`,
      copySql(stageTable, names, format),
      upsertSql(table, conflict, stageTable),
    ])
    return toWriteCounts(answer, rows.length)
  }

  async function probe(rows: Rows): Promise<WriteCounts> {
    if (!isKeyed(conflict)) return copy(rows)
    // A row on its own is a refused one, most likely, and there `unnest` says more.
    if (rows.length === 1) return unnest(rows)
    const seen = probeColumns(columns, conflict)
    const parameters = toRowParameters(rows, seen, { spare, position: position })
    const sql = probeSql(table, conflict, parameters.source)
    const answer = await execute(sql, parameters, savepoints.open)
    const fates = answer.rows.at(-1)?.[0] ?? ''
    const isFate = (fate: Fate) => (_row: object, index: number) => fates[index] === fate
    const fresh = rows.filter(isFate('n'))
    const changed = rows.filter(isFate('c'))
    const taken = rows.length - fresh.length
    onProbe({ taken: taken / rows.length, changed: changed.length / rows.length })
    const counts = { inserted: 0, updated: 0, unchanged: taken - changed.length }
    if (fresh.length > 0) {
      try {
        const copied = await copy(fresh, savepoints.more)
        counts.inserted = copied.inserted
        counts.unchanged += copied.unchanged
      } catch (error) {
        // Somebody else was faster with a key.
        if (isTaken(error)) return unnest(rows)
        throw error instanceof RefusedBatchError ? amongAll(error, fresh, rows) : error
      }
    }
    if (changed.length === 0) return counts
    const changes = await unnest(changed, savepoints.more)
    return {
      inserted: counts.inserted + changes.inserted,
      updated: changes.updated,
      unchanged: counts.unchanged + changes.unchanged,
    }
  }
  return { copy, scout, unnest, stage, probe }
}

/** One statement with rows as its parameters. */
export async function execute(sql: string, parameters: RowParameters, send: Send): Promise<Answer> {
  const answer = await send((wire, before) => {
    wire.stream.cork()
    for (const text of before) sendStatement(wire, text)
    sendStatement(wire, sql, parameters.values)
    wire.sync()
    wire.stream.uncork()
  })
  parameters.recycle()
  return answer
}

/** Whether a COPY met a key that is taken. */
export function isTaken(error: unknown): boolean {
  return error instanceof RefusedBatchError && isUniqueViolation(error.cause)
}

function toWriteCounts({ tags, rows }: Answer, given: number): WriteCounts {
  const counted = rows.at(-1)
  const [inserted, updated] = counted ? [Number(counted[0]), Number(counted[1])] : [countOf(tags.at(-1)), 0]
  return { inserted, updated, unchanged: given - inserted - updated }
}
