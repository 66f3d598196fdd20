import { TemporaryError, ValidationError } from '@stepwright/errors'
import {
  anything,
  assertOptions,
  aText,
  numberFrom,
  type OptionChecks,
  oneOf,
  texts,
  wholeFrom,
} from '@stepwright/errors/options'
import type { Insertable } from 'kysely'
import type { CallLimits } from '../call-limits.ts'
import { assertConflict, type Conflict, isKeyed } from '../conflict.ts'
import type { RowSink, Scope } from '../row-sink.ts'
import { createChunkTransaction } from './chunk-transaction.ts'
import { clearStep, scopeKey } from './clear-scope.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { type CopyEncoder, type CopyFormat, createCopyEncoder } from './copy-data.ts'
import { createFastPaths, type FastPath, type FastPaths } from './fast-path.ts'
import { claimSql, defaultLedgerTable, toRecord } from './ledger.ts'
import { createRecent } from './recent.ts'
import { beginSql, openSession, type Session, type Timeouts, withSession } from './session.ts'
import { createSpareBuffers, type SpareBuffers } from './spare-buffers.ts'
import { describeTableSql, type Table, toTable } from './table.ts'

export interface PostgresRowSinkOptions<Column extends string> extends Partial<Timeouts> {
  /** A pool of pg's, such as `createPostgresPool` makes. */
  readonly pool: ConnectionPool
  /** With its schema or without: `sales.orders`. */
  readonly tableName: string
  /** The columns to write. A value that a row lacks is NULL, not the column's default. */
  readonly columns: readonly Column[]
  /** @default { mode: 'insert' } */
  readonly conflict?: Conflict<Column>
  /**
   * The columns that a batch is sorted by where the conflict mode has no key; none keeps the order of the
   * records. Sorted rows are quicker to index, and concurrent chunks wait for one another in one order.
   * @default the table's first unique key that is written whole
   */
  readonly sortBy?: readonly Column[]
  /** @default 'stepwright_chunk_ledger' */
  readonly ledgerTableName?: string
  /** @default 'auto': COPY, and after the first taken key `probe` or `unnest`. */
  readonly path?: FastPath | 'auto'
  /** @default 'auto': binary wherever all values have a binary form. */
  readonly copyFormat?: CopyFormat | 'auto'
  /** How many rows of a scope are deleted in one transaction. @default 10000 */
  readonly deleteBatchSize?: number
}

/** A table of a Kysely database: `interface Database { users: UsersTable }`. */
type AnyDatabase = Record<string, Record<string, unknown>>

interface KnownTable {
  readonly table: Table
  readonly order: readonly string[]
  readonly spare: SpareBuffers
  readonly encoder: CopyEncoder
  readonly paths: FastPaths
}

const optionChecks: OptionChecks = {
  pool: anything,
  tableName: aText,
  columns: texts,
  conflict: anything,
  sortBy: texts,
  ledgerTableName: aText,
  path: oneOf('auto', 'copy', 'probe', 'unnest', 'stage'),
  copyFormat: oneOf('auto', 'binary', 'text'),
  deleteBatchSize: wholeFrom(1),
  statementTimeoutMs: numberFrom(0),
  lockTimeoutMs: numberFrom(0),
}

/**
 * A sink that writes into a PostgreSQL table. `createPostgresRowSink<Database, 'users'>` takes its row type from
 * Kysely's; the columns' SQL types are read from the server once.
 */
export function createPostgresRowSink<
  Database = AnyDatabase,
  TableName extends keyof Database & string = keyof Database & string,
>(
  options: PostgresRowSinkOptions<keyof Insertable<Database[TableName]> & string> & {
    readonly tableName: TableName
  },
): RowSink<Insertable<Database[TableName]>> {
  assertOptions('createPostgresRowSink', options, optionChecks)
  const { pool, tableName, columns, conflict = { mode: 'insert' }, sortBy } = options
  const { ledgerTableName: ledger = defaultLedgerTable, path = 'auto', copyFormat = 'auto' } = options
  const { deleteBatchSize = 10_000, statementTimeoutMs = 60_000, lockTimeoutMs = 10_000 } = options
  assertConflict(conflict, columns)
  assertSortable(sortBy, columns)
  const timeouts = { statementTimeoutMs, lockTimeoutMs }
  const cleared = createRecent<number>()
  // By job: a warm process outlives changes of the table.
  const known = createRecent<KnownTable>()
  const spare = createSpareBuffers()

  async function describe(session: Session, jobId: string): Promise<KnownTable> {
    const before = known.get(jobId)
    if (before) return before
    const table = toTable(tableName, columns, await session.query(describeTableSql(tableName)))
    assertUnique(table, conflict)
    const described = {
      table,
      order: sortBy ?? wholeKey(table, columns),
      spare,
      encoder: createCopyEncoder(table.columns, spare, copyFormat),
      paths: createFastPaths(table, conflict, path),
    }
    known.set(jobId, described)
    return described
  }

  async function clearScope(jobId: string, scope: Scope, limits: CallLimits): Promise<number> {
    assertScope(conflict, columns, scope)
    const key = JSON.stringify([jobId, scopeKey(scope)])
    const before = cleared.get(key)
    if (before !== undefined) return before
    for (;;) {
      const step = {
        beginSql: beginSql(limits, timeouts),
        tableName,
        ledger,
        jobId,
        scope,
        rows: deleteBatchSize,
      }
      const { deleted, done } = await withSession(pool, limits, timeouts, session =>
        clearStep({ session, ...step }),
      )
      if (done) {
        cleared.set(key, deleted)
        return deleted
      }
    }
  }
  return {
    conflict,
    clearScope,
    async begin(claim, limits, scope) {
      const session = await openSession(pool, limits, timeouts)
      try {
        const wasKnown = known.get(claim.jobId) !== undefined
        const target = await describe(session, claim.jobId)
        const { tags, rows } = await session.query(`${beginSql(limits, timeouts)};${claimSql(ledger, claim)}`)
        if (tags.at(-2) === 'INSERT 0 1') {
          const onOutdated = (): void => {
            known.delete(claim.jobId)
            if (wasKnown) throw new TemporaryError('the table has changed since the last chunk')
          }
          return createChunkTransaction({
            session,
            conflict,
            ledger,
            key: claim,
            scope,
            onOutdated,
            ...target,
          })
        }
        await session.query('ROLLBACK')
        const [entry] = rows
        if (!entry)
          throw new TemporaryError(`the ledger entry of ${claim.jobId}/${claim.chunk} was just deleted`)
        session.release(true)
        return toRecord(claim, entry)
      } catch (error) {
        session.release(false)
        throw error
      }
    },
  }
}

function assertSortable(sortBy: readonly string[] = [], columns: readonly string[]): void {
  const unknown = sortBy.find(column => !columns.includes(column))
  if (unknown === undefined) return
  throw new TypeError(`sortBy must name columns that are written, not "${unknown}"`)
}

function wholeKey({ uniqueKeys }: Table, columns: readonly string[]): readonly string[] {
  return uniqueKeys?.find(key => key.every(column => columns.includes(column))) ?? []
}

/** COPY would not notice: it would write rows of the same key without end. */
function assertUnique({ name, uniqueKeys }: Table, conflict: Conflict): void {
  if (!isKeyed(conflict) || uniqueKeys === undefined) return
  const { key } = conflict
  if (uniqueKeys.some(unique => unique.length === key.length && unique.every(name => key.includes(name))))
    return
  throw new ValidationError(
    `the key (${key.join(', ')}) must be a primary key, a unique constraint or a unique index of table ${name}, neither partial nor deferrable`,
  )
}

function assertScope(conflict: Conflict, columns: readonly string[], scope: Scope): void {
  const given = Object.keys(scope)
  const wanted = conflict.mode === 'replace' ? conflict.scope : given
  const isWhole = wanted.length === given.length && given.every(name => wanted.includes(name))
  if (given.length > 0 && isWhole && given.every(name => columns.includes(name))) return
  const allowed =
    conflict.mode === 'replace'
      ? `the columns that conflict mode "replace" was given (${conflict.scope.join(', ')})`
      : `columns that are written (${columns.join(', ')})`
  throw new ValidationError(`the scope must name ${allowed}, not ${given.join(', ') || 'none'}`)
}
