import {
  anything,
  assertOptions,
  aText,
  numberFrom,
  type OptionChecks,
  wholeFrom,
} from '@stepwright/errors/options'
import { type CallLimits, toLimits } from '../call-limits.ts'
import type { ChunkLedger, LedgerSummary } from '../chunk-ledger.ts'
import type { ChunkRecord, RejectedRow } from '../row-sink.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { countOf } from './exchange.ts'
import { defaultLedgerTable, findSql, purgeSql, summarizeSql, toRecord, waitSql } from './ledger.ts'
import { beginSql, type Session, type Timeouts, withSession } from './session.ts'

export interface PostgresChunkLedgerOptions extends Partial<Timeouts> {
  readonly pool: ConnectionPool
  /** The sink's `ledgerTableName`. @default 'stepwright_chunk_ledger' */
  readonly tableName?: string
  /** How many records one transaction deletes. @default 1000 */
  readonly deleteBatchSize?: number
}

/** Less time than this is not enough for another transaction and its answer. */
const reserveMs = 1_000

const optionChecks: OptionChecks = {
  pool: anything,
  tableName: aText,
  deleteBatchSize: wholeFrom(1),
  statementTimeoutMs: numberFrom(0),
  lockTimeoutMs: numberFrom(0),
}

/** Reads the ledger that a PostgreSQL sink writes, and deletes from it. */
export function createPostgresChunkLedger(options: PostgresChunkLedgerOptions): ChunkLedger {
  assertOptions('createPostgresChunkLedger', options, optionChecks)
  const { pool, tableName = defaultLedgerTable, deleteBatchSize = 1000 } = options
  const { statementTimeoutMs = 60_000, lockTimeoutMs = 10_000 } = options
  const timeouts = { statementTimeoutMs, lockTimeoutMs }

  function inTransaction(
    given: Partial<CallLimits>,
    work: (session: Session, begin: string) => Promise<Answered>,
  ): Promise<Answered> {
    const limits = toLimits(given)
    return withSession(pool, limits, timeouts, session => work(session, beginSql(limits, timeouts)))
  }
  return {
    async find(jobId, chunks, limits = {}) {
      if (chunks.length === 0) return []
      const found = new Map<string, ChunkRecord>()
      async function look(session: Session, begin: string, wanted: readonly string[]): Promise<Answered> {
        const answer = await session.query(`${begin};${findSql(tableName, jobId, wanted)};COMMIT`)
        for (const [chunk, ...record] of answer.rows) {
          const key = { jobId, chunk: String(chunk) }
          found.set(key.chunk, toRecord(key, record))
        }
        return answer
      }
      await inTransaction(limits, async (session, begin) => {
        const answer = await look(session, begin, chunks)
        const missing = chunks.filter(chunk => !found.has(chunk))
        if (missing.length === 0) return answer
        // A claim that is not committed is not seen, only felt.
        await session.query(
          missing.map(chunk => `${begin};${waitSql(tableName, jobId, chunk)};ROLLBACK`).join(';'),
        )
        return look(session, begin, missing)
      })
      return chunks.flatMap(chunk => found.get(chunk) ?? [])
    },
    async summarize(jobId, { maxRejectedRows = 100, ...limits } = {}) {
      const { rows } = await inTransaction(limits, (session, begin) =>
        session.query(`${begin};${summarizeSql(tableName, jobId, maxRejectedRows)};COMMIT`),
      )
      return toSummary(rows)
    },
    async purge({ completedBefore, jobId, ...limits }) {
      const { remainingMs } = toLimits(limits)
      let deleted = 0
      for (;;) {
        const { tags } = await inTransaction(limits, (session, begin) =>
          session.query(`${begin};${purgeSql(tableName, completedBefore, jobId, deleteBatchSize)};COMMIT`),
        )
        const count = countOf(tags.at(-2))
        deleted += count
        if (count < deleteBatchSize) return { deleted, done: true }
        if (remainingMs() < reserveMs) return { deleted, done: false }
      }
    },
  }
}

type Answered = Awaited<ReturnType<Session['query']>>

function toSummary([totals = [], ...rejected]: Answered['rows']): LedgerSummary {
  const [chunks, received, inserted, updated, unchanged, duplicates, rejectedCount] = totals.map(Number)
  return {
    chunks: chunks ?? 0,
    counts: {
      received: received ?? 0,
      inserted: inserted ?? 0,
      updated: updated ?? 0,
      unchanged: unchanged ?? 0,
      duplicates: duplicates ?? 0,
      rejected: rejectedCount ?? 0,
    },
    rejected: rejected.map(([row]) => JSON.parse(String(row)) as RejectedRow),
  }
}
