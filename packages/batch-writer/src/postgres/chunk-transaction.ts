import { TemporaryError } from '@stepwright/errors'
import { type Conflict, isKeyed } from '../conflict.ts'
import type { ChunkKey, ChunkTransaction, Scope } from '../row-sink.ts'
import { createBatchWriters, isTaken } from './batch-writers.ts'
import type { CopyEncoder } from './copy-data.ts'
import type { FastPaths } from './fast-path.ts'
import { toKeyForms } from './key-forms.ts'
import { completeSql } from './ledger.ts'
import { isOutdated } from './refusal.ts'
import { createSavepoints } from './savepoints.ts'
import { createScopeCheck } from './scope-check.ts'
import type { Session } from './session.ts'
import type { SpareBuffers } from './spare-buffers.ts'
import type { Table } from './table.ts'

export interface ChunkTransactionOptions {
  readonly session: Session
  readonly table: Table
  readonly conflict: Conflict
  readonly ledger: string
  readonly key: ChunkKey
  readonly scope: Scope | undefined
  readonly order: readonly string[]
  readonly encoder: CopyEncoder
  readonly spare: SpareBuffers
  readonly paths: FastPaths
  /** The table may have changed since it was described. */
  readonly onOutdated: () => void
}

/** The open transaction of one chunk: every batch behind a savepoint, the ledger's entry with the commit. */
export function createChunkTransaction(options: ChunkTransactionOptions): ChunkTransaction<object> {
  const { session, table, conflict, ledger, key, scope, order, encoder, spare, paths, onOutdated } = options
  const savepoints = createSavepoints(session, table)
  const writers = createBatchWriters({
    session,
    savepoints,
    table,
    conflict,
    encoder,
    spare,
    onProbe: found => paths.probed(key.jobId, found),
  })
  const assertInScope = createScopeCheck({ scope, savepoints, table, spare })
  let ended = false

  return {
    order,
    keyForms: toKeyForms(table.columns),
    async write(rows, { distinct = true } = {}) {
      const way = paths.current(key.jobId, distinct)
      try {
        await assertInScope(rows)
        const counts = await writers[way](rows)
        if (way === 'scout') paths.copied(key.jobId)
        return counts
      } catch (error) {
        if (isOutdated(error)) onOutdated()
        const copied = way === 'copy' || way === 'scout'
        if (!copied || !isKeyed(conflict) || !isTaken(error)) throw error
        return writers[paths.afterConflict(key.jobId, distinct)](rows)
      }
    },
    async commit({ counts, rejected }) {
      const { tags } = await session.query(
        [...savepoints.takeEnd(), completeSql(ledger, key, counts, rejected), 'COMMIT'].join(';'),
      )
      ended = true
      session.release(true)
      // A transaction that had failed would say ROLLBACK.
      if (tags.at(-1) !== 'COMMIT' || tags.at(-2) !== 'UPDATE 1') {
        throw new TemporaryError(`chunk ${key.jobId}/${key.chunk} was not committed: ${tags.join(', ')}`)
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
