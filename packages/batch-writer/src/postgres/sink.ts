import { TemporaryError, ValidationError } from '@stepwright/errors'
import type { Insertable } from 'kysely'
import { assertConflict, type Conflict } from '../conflict.ts'
import type { CallLimits, RowSink, Scope } from '../row-sink.ts'
import { createChunkTransaction } from './chunk-transaction.ts'
import { clearStep, scopeKey } from './clear-scope.ts'
import { type CopyEncoder, type CopyFormat, createCopyEncoder } from './copy-data.ts'
import { createFastPaths, type FastPath, type FastPaths } from './fast-path.ts'
import { claimSql, defaultLedger, toRecord } from './ledger.ts'
import { createRecent } from './recent.ts'
import { type ConnectionPool, openSession, type Session, type Timeouts } from './session.ts'
import { createSpareBuffers, type SpareBuffers } from './spare-buffers.ts'
import { describeTableSql, type Table, toTable } from './table.ts'

export interface PostgresSinkOptions<Column extends string> extends Partial<Timeouts> {
  /** A pool of pg's, such as `createPostgresPool` makes. */
  readonly pool: ConnectionPool
  /** With its schema or without: `sales.orders`. */
  readonly table: string
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
  readonly ledger?: string
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

/**
 * A sink that writes into a PostgreSQL table. `createPostgresSink<Database, 'users'>` takes its row type from
 * Kysely's; the columns' SQL types are read from the server once.
 */
export function createPostgresSink<
  Database = AnyDatabase,
  TableName extends keyof Database & string = keyof Database & string,
>({
  pool,
  table,
  columns,
  conflict = { mode: 'insert' },
  sortBy,
  ledger = defaultLedger,
  path = 'auto',
  copyFormat = 'auto',
  deleteBatchSize = 10_000,
  statementTimeoutMs = 60_000,
  lockTimeoutMs = 10_000,
}: PostgresSinkOptions<keyof Insertable<Database[TableName]> & string> & {
  readonly table: TableName
}): RowSink<Insertable<Database[TableName]>> {
  assertConflict(conflict, columns)
  assertSortable(sortBy, columns)
  const timeouts = { statementTimeoutMs, lockTimeoutMs }
  const cleared = createRecent<number>()
  let known: KnownTable | undefined

  async function describe(session: Session): Promise<KnownTable> {
    if (known) return known
    const described = toTable(table, columns, await session.query(describeTableSql(table)))
    const spare = createSpareBuffers()
    known = {
      table: described,
      order: sortBy ?? wholeKey(described, columns),
      spare,
      encoder: createCopyEncoder(described.columns, spare, copyFormat),
      paths: createFastPaths(described, conflict, path),
    }
    return known
  }

  /** Everything here ends with the transaction: a pooler may give the connection to anybody then. */
  function beginSql({ remainingMs }: CallLimits): string {
    const left = Math.max(1, Math.floor(Math.min(statementTimeoutMs, remainingMs())))
    return [
      'BEGIN ISOLATION LEVEL READ COMMITTED',
      `SET LOCAL statement_timeout = ${left}`,
      `SET LOCAL lock_timeout = ${Math.min(lockTimeoutMs, left)}`,
      // A frozen process must not hold its claim for ever.
      `SET LOCAL idle_in_transaction_session_timeout = ${statementTimeoutMs}`,
      // A deferred violation would only come with the commit, when the row can no longer be found.
      'SET CONSTRAINTS ALL IMMEDIATE',
    ].join(';')
  }

  async function withSession<T>(limits: CallLimits, work: (session: Session) => Promise<T>): Promise<T> {
    const session = await openSession(pool, limits, timeouts)
    let clean = false
    try {
      const result = await work(session)
      clean = true
      return result
    } finally {
      session.release(clean)
    }
  }

  async function clearScope(job: string, scope: Scope, limits: CallLimits): Promise<number> {
    assertScope(conflict, scope)
    const key = JSON.stringify([job, scopeKey(scope)])
    const before = cleared.get(key)
    if (before !== undefined) return before
    for (;;) {
      const { deleted, done } = await withSession(limits, session =>
        clearStep({ session, beginSql: beginSql(limits), table, ledger, job, scope, rows: deleteBatchSize }),
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
    async begin(claim, limits) {
      const session = await openSession(pool, limits, timeouts)
      try {
        const target = await describe(session)
        const { tags, rows } = await session.query(`${beginSql(limits)};${claimSql(ledger, claim)}`)
        if (tags.at(-2) === 'INSERT 0 1') {
          return createChunkTransaction({ session, conflict, ledger, key: claim, ...target })
        }
        await session.query('ROLLBACK')
        const [entry] = rows
        if (!entry)
          throw new TemporaryError(`the ledger entry of ${claim.job}/${claim.chunk} was just deleted`)
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
  throw new ValidationError(`cannot sort by column "${unknown}": it is not one of those written`)
}

function wholeKey({ uniqueKeys }: Table, columns: readonly string[]): readonly string[] {
  return uniqueKeys.find(key => key.every(column => columns.includes(column))) ?? []
}

function assertScope(conflict: Conflict, scope: Scope): void {
  const columns = conflict.mode === 'replace' ? conflict.scope : []
  const given = Object.keys(scope)
  if (
    columns.length === 0 ||
    columns.length !== given.length ||
    !columns.every(name => given.includes(name))
  ) {
    throw new ValidationError(
      `the scope must name the columns that conflict mode "replace" was given (${columns.join(', ') || 'none'}), not ${given.join(', ')}`,
    )
  }
}
