import { TemporaryError } from '@stepwright/errors'
import { type Conflict, isKeyed } from '../conflict.ts'
import { type ChunkKey, type ChunkTransaction, RefusedBatchError, type WriteCounts } from '../row-sink.ts'
import { encodeArrays } from './array-data.ts'
import type { CopyData } from './copy-data.ts'
import { type Answer, countOf, type Wire } from './exchange.ts'
import type { FastPath, FastPaths } from './fast-path.ts'
import { completeSql } from './ledger.ts'
import { isRefusal, isUniqueViolation, toRefusedBatch } from './refusal.ts'
import type { Session } from './session.ts'
import type { Table } from './table.ts'
import { unnestSource, upsertSql } from './upsert-sql.ts'

export interface ChunkTransactionOptions {
  readonly session: Session
  readonly table: Table
  readonly conflict: Conflict
  readonly ledger: string
  readonly key: ChunkKey
  readonly encodeCopy: (rows: readonly object[]) => CopyData
  readonly paths: FastPaths
}

type Rows = readonly object[]
type Write = () => Promise<WriteCounts>

const KEEP = ['RELEASE SAVEPOINT stepwright_batch']
const UNDO = ['ROLLBACK TO SAVEPOINT stepwright_batch', ...KEEP]
const STAGE = 'pg_temp.stepwright_stage'

/** The open transaction of one chunk: every batch behind a savepoint, the ledger's entry with the commit. */
export function createChunkTransaction(options: ChunkTransactionOptions): ChunkTransaction<object> {
  const { session, table, conflict, ledger, key, encodeCopy, paths } = options
  const names = table.columns.map(column => column.quoted).join(', ')
  const unnestUpsert = upsertSql(table, conflict, unnestSource(table.columns))
  // Ends the savepoint before; sent with the next command, so that it costs no round trip.
  let endSavepoint: readonly string[] = []
  let staged = false
  let ended = false

  async function behindSavepoint(send: (wire: Wire, before: readonly string[]) => void): Promise<Answer> {
    const before = [...endSavepoint, 'SAVEPOINT stepwright_batch']
    try {
      const answer = await session.send(wire => send(wire, before))
      endSavepoint = KEEP
      return answer
    } catch (error) {
      endSavepoint = UNDO
      throw isRefusal(error) ? toRefusedBatch(error, table) : error
    }
  }

  function copy(rows: Rows): Write {
    const { format, bytes } = encodeCopy(rows)
    return async () => {
      const { tags } = await behindSavepoint((wire, before) => {
        wire.query([...before, copySql(table.name, names, format)].join(';'))
        wire.stream.write(bytes)
      })
      return { inserted: countOf(tags.at(-1)), updated: 0, unchanged: 0 }
    }
  }

  function unnest(rows: Rows): Write {
    const values = encodeArrays(rows, table.columns)
    return async () => {
      try {
        const answer = await behindSavepoint((wire, before) => {
          for (const text of before) sendStatement(wire, text, [])
          sendStatement(wire, unnestUpsert, values)
          wire.sync()
        })
        return toWriteCounts(answer, rows.length)
      } catch (error) {
        const isUnplaced = error instanceof RefusedBatchError && error.refusal.column === undefined
        if (!isUnplaced || rows.length > 1) throw error
        throw new RefusedBatchError(
          { ...error.refusal, column: await columnOf(rows) },
          { cause: error.cause },
        )
      }
    }
  }

  /** Only COPY says which column a value does not fit; a row that it takes is taken back. */
  async function columnOf(row: Rows): Promise<string | undefined> {
    try {
      await copy(row)()
      endSavepoint = UNDO
      return undefined
    } catch (error) {
      if (error instanceof RefusedBatchError) return error.refusal.column
      throw error
    }
  }

  function stage(rows: Rows): Write {
    const { format, bytes } = encodeCopy(rows)
    return async () => {
      if (!staged) {
        await session.query(
          [
            ...endSavepoint,
            `CREATE TEMPORARY TABLE stepwright_stage ON COMMIT DROP AS SELECT ${names} FROM ${table.name} LIMIT 0`,
          ].join(';'),
        )
        endSavepoint = []
        staged = true
      }
      const answer = await behindSavepoint((wire, before) => {
        wire.query(
          [
            ...before,
            `TRUNCATE ${STAGE}`,
            copySql(STAGE, names, format),
            upsertSql(table, conflict, STAGE),
          ].join(';'),
        )
        wire.stream.write(bytes)
      })
      return toWriteCounts(answer, rows.length)
    }
  }

  const writers: Readonly<Record<FastPath, (rows: Rows) => Write>> = { copy, unnest, stage }

  function encode(path: FastPath, rows: Rows): Write {
    try {
      return writers[path](rows)
    } catch (error) {
      // A refusal while encoding is one of the batch: it is reported when the batch is written.
      if (!(error instanceof RefusedBatchError)) throw error
      return () => Promise.reject(error)
    }
  }

  return {
    prepare(rows) {
      const path = paths.current(key.job)
      const write = encode(path, rows)
      return async () => {
        // The batch before may have met the first conflict.
        const now = paths.current(key.job)
        if (now !== path) return encode(now, rows)()
        try {
          return await write()
        } catch (error) {
          const conflicts = error instanceof RefusedBatchError && isUniqueViolation(error.cause)
          if (path !== 'copy' || !conflicts || !isKeyed(conflict)) throw error
          return encode(paths.afterConflict(key.job), rows)()
        }
      }
    },
    async commit({ counts, rejected }) {
      const { tags } = await session.query(
        [...endSavepoint, completeSql(ledger, key, counts, rejected), 'COMMIT'].join(';'),
      )
      ended = true
      session.release(true)
      // A transaction that had failed would say ROLLBACK.
      if (tags.at(-1) !== 'COMMIT' || tags.at(-2) !== 'UPDATE 1') {
        throw new TemporaryError(`chunk ${key.job}/${key.chunk} was not committed: ${tags.join(', ')}`)
      }
    },
    async rollback() {
      if (ended) return
      ended = true
      const clean = await session.query('ROLLBACK').then(
        () => true,
        () => false,
      )
      session.release(clean)
    },
  }
}

function copySql(target: string, names: string, format: string): string {
  return `COPY ${target} (${names}) FROM STDIN (FORMAT ${format})`
}

function sendStatement(wire: Wire, text: string, values: readonly (Buffer | string)[]): void {
  wire.parse({ text, name: '', types: [] }, true)
  wire.bind({ values: [...values] }, true)
  wire.execute({}, true)
}

function toWriteCounts({ tags, rows }: Answer, given: number): WriteCounts {
  const counted = rows.at(-1)
  const [inserted, updated] = counted ? [Number(counted[0]), Number(counted[1])] : [countOf(tags.at(-1)), 0]
  return { inserted, updated, unchanged: given - inserted - updated }
}
