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

/** `scout` is a COPY of a few rows before the others: if their keys are taken, little was done in vain. */
export type Way = FastPath | 'scout'

/** What a lookup found in a batch, as shares of its rows. */
export interface Probed {
  readonly taken: number
  /** Taken, and what is stored has to change. */
  readonly changed: number
}

export interface FastPaths {
  /** A lookup compares rows with what is stored, not with one another: it needs distinct keys. */
  current(jobId: string, distinct?: boolean): Way
  /** A batch was copied without meeting a taken key. */
  copied(jobId: string): void
  /** A COPY met a key that is taken: the way for that batch, and for the next ones. */
  afterConflict(jobId: string, distinct?: boolean): FastPath
  /** A batch was looked up: this may change the way for the next ones. */
  probed(jobId: string, found: Probed): void
}

/** From here on, looking keys up first costs more than it saves. */
const mostlyChanges = 0.5

interface JobState {
  readonly way: Way
  /** How many batches without a taken key must follow one another before the next is copied again. */
  readonly patience: number
  /** How many have. */
  readonly fresh: number
}

/**
 * Begins every job with COPY, which is 2 to 3 times as fast as ON CONFLICT while all keys are new. A taken key
 * ends that: data that came before tends to come again, so the keys of the next batches are looked up, which is
 * cheap and locks nothing. When no key of a batch is taken any more, as behind the part of a file that an earlier
 * import has loaded, COPY is tried again, each time after twice as many such batches as the time before. When most
 * rows turn out to be changes, the lookup is left out for good.
 */
export function createFastPaths(
  table: Table,
  conflict: Conflict,
  path: FastPath | 'auto' = 'auto',
): FastPaths {
  const jobs = createRecent<JobState>()
  const hasCompounds = table.columns.some(column => column.isCompound)
  const keyed = isKeyed(conflict)
  const possible = <Wanted extends Way>(wanted: Wanted, distinct: boolean): Wanted | FastPath => {
    if (!keyed && table.takesCopy && (wanted === 'probe' || wanted === 'scout')) return 'copy'
    const isStaged = wanted === 'unnest' || wanted === 'stage'
    const isOpen = table.takesCopy && (distinct || wanted !== 'probe')
    const way = isStaged || isOpen ? wanted : 'unnest'
    return hasCompounds && (way === 'probe' || way === 'unnest') ? 'stage' : way
  }
  const stateOf = (jobId: string): JobState => jobs.get(jobId) ?? { way: 'scout', patience: 0, fresh: 0 }
  return {
    current: (jobId, distinct = true) => possible(path === 'auto' ? stateOf(jobId).way : path, distinct),
    copied(jobId) {
      jobs.set(jobId, { ...stateOf(jobId), way: 'copy' })
    },
    afterConflict(jobId, distinct = true) {
      const patience = Math.max(1, stateOf(jobId).patience * 2)
      jobs.set(jobId, { way: 'probe', patience, fresh: 0 })
      return possible('probe', distinct)
    },
    probed(jobId, { taken, changed }) {
      const state = stateOf(jobId)
      const fresh = taken === 0 ? state.fresh + 1 : 0
      const way = changed > mostlyChanges ? 'unnest' : fresh >= state.patience ? 'scout' : 'probe'
      jobs.set(jobId, { ...state, way, fresh })
    },
  }
}
