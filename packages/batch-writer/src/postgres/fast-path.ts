import { type Conflict, isKeyed } from '../conflict.ts'
import { createRecent } from './recent.ts'
import type { Table } from './table.ts'

/**
 * How a batch gets into the table.
 * - `copy`: COPY straight in; with a conflict mode by key, the batch is repeated otherwise if a key is taken.
 * - `unnest`: one `INSERT … SELECT FROM unnest(…) ON CONFLICT` with an array a column.
 * - `stage`: COPY into a temporary table, then `INSERT … SELECT … ON CONFLICT`.
 */
export type FastPath = 'copy' | 'unnest' | 'stage'

export interface FastPaths {
  current(job: string): FastPath
  /** What a batch is repeated with whose COPY met a key that is taken. */
  afterConflict(job: string): FastPath
}

/**
 * Begins every job with COPY, which is 2 to 3 times as fast as ON CONFLICT while all keys are new, and leaves it
 * for the rest of the job at the first key that is not: data that was loaded before tends to come again whole.
 */
export function createFastPaths(
  table: Table,
  conflict: Conflict,
  path: FastPath | 'auto' = 'auto',
): FastPaths {
  const conflicted = createRecent<true>()
  // unnest would take an array of arrays apart down to its items.
  const upsert = table.columns.some(column => column.isArray) ? 'stage' : 'unnest'

  return {
    current(job) {
      if (path === 'auto') return isKeyed(conflict) && conflicted.get(job) ? upsert : 'copy'
      return path === 'unnest' ? upsert : path
    },
    afterConflict(job) {
      conflicted.set(job, true)
      return upsert
    },
  }
}
