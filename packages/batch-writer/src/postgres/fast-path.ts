import { type Conflict, isKeyed } from '../conflict.ts'
import { createRecent } from './recent.ts'
import type { Table } from './table.ts'

/**
 * How a batch gets into the table.
 * - `copy`: COPY straight in; with a conflict mode by key, a batch that meets a taken key goes another way.
 * - `probe`: looks up which keys are taken, COPYs the others, and changes what differs by `unnest`.
 * - `unnest`: one `INSERT … SELECT FROM unnest(…) ON CONFLICT` with an array a column.
 * - `stage`: COPY into a temporary table, then `INSERT … SELECT … ON CONFLICT`.
 */
export type FastPath = 'copy' | 'probe' | 'unnest' | 'stage'

export interface FastPaths {
  current(job: string): FastPath
  /** A COPY met a key that is taken: the way for that batch, and for the rest of the job. */
  afterConflict(job: string): FastPath
  /** Which share of a probed batch had to change what is stored. */
  probed(job: string, changedShare: number): void
}

/** From here on, looking keys up first costs more than it saves. */
const MOSTLY_CHANGES = 0.5

/**
 * Begins every job with COPY, which is 2 to 3 times as fast as ON CONFLICT while all keys are new. The first
 * taken key ends that for the rest of the job: data that came before tends to come again. From then on keys are
 * looked up, which is cheap and locks nothing, until most rows turn out to be changes.
 */
export function createFastPaths(
  table: Table,
  conflict: Conflict,
  path: FastPath | 'auto' = 'auto',
): FastPaths {
  const chosen = createRecent<FastPath>()
  // unnest would take an array of arrays apart down to its items.
  const hasArrays = table.columns.some(column => column.isArray)
  const possible = (wanted: FastPath): FastPath => {
    if (!isKeyed(conflict) && wanted === 'probe') return 'copy'
    return hasArrays && wanted !== 'copy' ? 'stage' : wanted
  }
  return {
    current: job => possible(path === 'auto' ? (chosen.get(job) ?? 'copy') : path),
    afterConflict(job) {
      chosen.set(job, 'probe')
      return possible('probe')
    },
    probed(job, changedShare) {
      if (changedShare > MOSTLY_CHANGES) chosen.set(job, 'unnest')
    },
  }
}
